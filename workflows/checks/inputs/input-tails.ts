import type { InputSurface, PageShape, PageSurface } from '../../model/surface.ts';
import { placeOfName } from '../../probe/parameter-names.ts';
import { normaliseSegment } from '../../probe/routes.ts';
import { likenessOf } from '../../survey/page-shape.ts';
import { documentOf } from './json-inputs.ts';

/** So many addresses make a page one that the site has under each of its things. */
const fewestAddresses = 8;
/** Pages that share so much of how they are built are made by the same code. */
const likeness = 0.85;
/** So many of its pages that are alike stand for those that were not fetched. */
const fewestSeen = 3;

/**
 * Names the page, or the form, that a site has under each of its things, at whatever depth ("/a/search?q=", "/a/b/search?q="), by what
 * its paths end in, what it takes and how it is built. Inputs of other pages have no name.
 */
export function tailsOf(inputs: readonly InputSurface[], pages: readonly PageSurface[]): Map<InputSurface, string> {
  const shapes = new Map(pages.flatMap(({ url, shape }) => (shape ? [[addressOf(url), shape] as const] : [])));
  const tails = new Map<InputSurface, string>();
  for (const [name, members] of Map.groupBy(inputs, nameOf)) {
    if (name === undefined) continue;
    const groups = Map.groupBy(members, leaderOf(members, shapes));
    for (const [leader, alike] of groups)
      if (leader !== undefined && new Set(alike.map(({ url }) => addressOf(url))).size >= fewestAddresses)
        for (const input of alike) tails.set(input, `${name} #${leader}`);
  }
  return tails;
}

/** Which of the pages that were built differently an input's page is like. */
function leaderOf(
  members: readonly InputSurface[],
  shapes: ReadonlyMap<string, PageShape>,
): (input: InputSurface) => number | undefined {
  const leaders: PageShape[] = [];
  const numbers = new Map<InputSurface, number>();
  for (const input of members) {
    const shape = shapes.get(addressOf(input.page?.url ?? input.url)) ?? shapes.get(addressOf(input.url));
    if (!shape) continue;
    const known = leaders.findIndex((leader) => likenessOf(leader, shape) >= likeness);
    numbers.set(input, known === -1 ? leaders.push(shape) - 1 : known);
  }
  const ofOthers = leaders.length === 1 && numbers.size >= fewestSeen ? 0 : undefined;
  return (input) => numbers.get(input) ?? ofOthers;
}

function nameOf(input: InputSurface): string | undefined {
  const { method, in: place, url, parameter, sample, others } = input;
  const end = addressOf(url)
    .replace(/\/+$/, '')
    .replace(/^[^/]*\/\/[^/]*/, '')
    .split('/')
    .at(-1);
  // A file with an ending is a program of its own, and an identifier says which thing it is.
  const isField = (place === 'query' || place === 'body') && documentOf(input) === undefined;
  if (!isField || !end || end.includes('.') || normaliseSegment(end) !== end) return undefined;
  const names = others.map(({ name, value }) => placeOfName(name, value)).sort();
  return JSON.stringify([method, place, placeOfName(parameter, sample), names, end]);
}

const addressOf = (url: string): string => url.replace(/[?#].*$/s, '');
