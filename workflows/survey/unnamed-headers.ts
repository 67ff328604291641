import { isFinal, ProbeError } from '../model/probe-error.ts';
import type { InputSurface, PageSurface } from '../model/surface.ts';
import { parameterNames } from '../probe/parameter-names.ts';
import { normaliseRoute, programRoute } from '../probe/routes.ts';
import type { Tally } from './left-out.ts';
import type { SendRequest } from './origins.ts';
import { isOwnProgram } from './same-program.ts';
import { enough, isProgram, mostPages, noteNames, programsOf, readHeaders, takenBy } from './unnamed-inputs.ts';

/** Of pages of one folder with the same parameters. */
const mostOfKind = 25;
/** The same of numbered programs, each of which reads its own. */
const mostOfNumbered = 150;
/** The same of what is called as a file is, which is rarely made by a program. */
const mostOfFiles = 3;
const mostInAll = 250;

type HeaderSearch = {
  tally: Tally;
  /** Headers that the other pages were found to read. */
  known: readonly InputSurface[];
  /** Whether an address is that of a numbered program. */
  isNumbered: (url: string) => boolean;
};

/**
 * Headers that further pages read, of those which were not asked with all names: pages with parameters apart from those without,
 * since what a visitor comes from is read at the second step. Two requests for a page that reads none.
 * @throws ProbeError `canceled`
 */
export async function unnamedHeaders(
  send: SendRequest,
  pages: readonly PageSurface[],
  { tally, known, isNumbered }: HeaderSearch,
): Promise<InputSurface[]> {
  const asked = new Set(programsOf(pages).slice(0, mostPages.deep));
  const programOf = ({ url }: PageSurface) =>
    `${isNumbered(url) ? new URL(url).pathname : programRoute(url)} ${namesOf(url)}`;
  const addresses = [...Map.groupBy(pages.filter(isProgram), programOf).values()].flatMap((same) => same.slice(0, 1));
  const kinds = Map.groupBy(
    addresses.filter((page) => !asked.has(page)),
    kindOf,
  );
  const mostOf = ([page]: PageSurface[]): number => {
    if (page && isNumbered(page.url)) return mostOfNumbered;
    return isFileLike(page) ? mostOfFiles : mostOfKind;
  };
  // Kinds take turns, in which steps that take parameters come first.
  const ordered = [...kinds.values()]
    .flatMap((same) => same.slice(0, mostOf(same)).map((page, turn) => ({ page, turn })))
    .toSorted((one, other) => one.turn - other.turn || Number(isStep(other.page)) - Number(isStep(one.page)))
    .map(({ page }) => page);
  const chosen = ordered.slice(0, mostInAll);
  const found: InputSurface[] = [];
  const taking = (name: string) => [...known, ...found].filter(({ parameter }) => parameter === name).length;
  let left = addresses.length - asked.size - chosen.length;
  for (const [index, page] of chosen.entries()) {
    const { url } = page;
    // What is read on so many pages is read in front of all of them.
    const names = isOwnProgram(url) ? readHeaders : readHeaders.filter(({ name }) => taking(name) < enough.any);
    if (names.length < readHeaders.length) left += 1;
    if (names.length === 0) continue;
    try {
      const likely = new Set(found.map(({ parameter }) => parameter));
      found.push(...(await takenBy(send, url, names, { named: [], likely, onRepeatedNames: () => noteNames(page) })));
    } catch (error) {
      if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
      const isLast = isFinal(error);
      left += isLast ? chosen.length - index : 1;
      if (isLast) break;
    }
  }
  const example = ordered.at(-1)?.url;
  if (left > 0 && example !== undefined) tally.addWord('alike', example, left);
  return found;
}

const isStep = ({ url }: PageSurface): boolean => url.includes('?');

const namesOf = (url: string): string => parameterNames(new URL(url).searchParams).join('&');

const isFileLike = (page: PageSurface | undefined): boolean => /\.html?(?:\?|$)/i.test(page?.url ?? '');

const kindOf = (page: PageSurface): string => {
  const { url } = page;
  return `${normaliseRoute(url).replace(/[^/]*$/, '')} ${namesOf(url)} ${isFileLike(page)}`;
};
