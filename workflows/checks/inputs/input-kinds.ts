import type { InputSurface, PageShape, PageSurface } from '../../model/surface.ts';
import { placeOfName } from '../../probe/parameter-names.ts';
import { normaliseRoute } from '../../probe/routes.ts';
import { likenessOf } from '../../survey/page-shape.ts';

/** Pages that share so much of how they are built are made by the same code when they take the same parameters, too. */
const likeness = 0.85;
/** The same for a folder with so many pages that take the same two parameters or more, as a wiki's, where the content is what differs. */
const likenessInFolder = 0.55;
const manyInFolder = 12;
const fewestParameters = 2;
/** So many pages of a folder that are alike stand for those that were not fetched. */
const fewestSeen = 3;

/**
 * Names the kind of each input: the same parameter of pages that are made by the same code is one kind, for instance that of 300
 * products. A place in a path is a kind of its own, since routes leave out what differs; so is a file with an ending, which
 * is a program of its own.
 */
export function kindsOf(inputs: readonly InputSurface[], pages: readonly PageSurface[]): Map<InputSurface, string> {
  const shapes = new Map(pages.flatMap(({ url, shape }) => (shape ? [[addressOf(url), shape] as const] : [])));
  const hasOneProgram = foldersOfOneProgram(inputs);
  const kinds = new Map<InputSurface, string>();
  for (const [name, members] of Map.groupBy(inputs, nameOf)) {
    const leaders: PageShape[] = [];
    const numberOf = (shape: PageShape, least: number): number => {
      const known = leaders.findIndex((leader) => likenessOf(leader, shape) >= least);
      return known === -1 ? leaders.push(shape) - 1 : known;
    };
    const shaped = members.flatMap((input) => {
      const shape = shapes.get(addressOf(input.url));
      return shape ? [{ input, shape }] : [];
    });
    const leastOf = (input: InputSurface): number => (hasOneProgram.has(folderOf(input)) ? likenessInFolder : likeness);
    const seen = shaped.map(({ input, shape }) => ({ input, number: numberOf(shape, leastOf(input)) }));
    const folders = Map.groupBy(seen, ({ input }) => folderOf(input));
    const numbers = new Map(seen.map(({ input, number }) => [input, number]));
    for (const input of members) {
      if (input.isNumbered) {
        kinds.set(input, `${name} ${input.route}`);
        continue;
      }
      const number = numbers.get(input) ?? numberOfFolder(folders.get(folderOf(input)) ?? []);
      kinds.set(input, number === undefined ? `${name} ${input.route}` : `${name} #${number}`);
    }
  }
  return kinds;
}

/** Pages of different programs may share one parameter, as the cases of a test suite do. */
function foldersOfOneProgram(inputs: readonly InputSurface[]): ReadonlySet<string> {
  const folders = Map.groupBy(inputs, folderOf);
  const isShared = (members: readonly InputSurface[]): boolean => {
    const pages = Map.groupBy(members, ({ parameter }) => parameter).values();
    const counts = [...pages].map((each) => new Set(each.map(({ url }) => addressOf(url))).size);
    return counts.filter((count) => count >= manyInFolder).length >= fewestParameters;
  };
  return new Set([...folders].flatMap(([folder, members]) => (isShared(members) ? folder : [])));
}

function numberOfFolder(seen: readonly { number: number }[]): number | undefined {
  const [first] = seen;
  return first && seen.length >= fewestSeen && seen.every(({ number }) => number === first.number)
    ? first.number
    : undefined;
}

/** What inputs of one kind have in common besides their page. */
function nameOf(input: InputSurface): string {
  const { method, in: place, others, route } = input;
  const isOwn = method !== 'GET' || place !== 'query' || /\.\w{1,5}$|\?/.test(route);
  const parameter = placeOfName(input.parameter, input.sample);
  const names = others.map(({ name, value }) => placeOfName(name, value)).sort();
  const where = isOwn ? route : String(route.split('/').length);
  return JSON.stringify([method, place, parameter, names, where]);
}

const addressOf = (url: string): string => url.replace(/[?#].*$/s, '');

const folderOf = ({ url }: InputSurface): string => normaliseRoute(url).replace(/[^/]*$/, '');
