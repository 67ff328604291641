import type { InputSurface } from '../../model/surface.ts';

/** Pages that take so many parameters of the same names read them by the same code: a list, that of one project, and what it is exported as. */
const fewestShared = 5;
/** Besides the page itself. */
const fewestPages = 3;

/** Names of parameters, and how many pages take just these. */
type NameSet = { names: ReadonlySet<string>; pages: number };

/** Which parameters of a page further pages take together, too. */
export function sharedParameters(inputs: readonly InputSurface[]): (input: InputSurface) => boolean {
  const byPage = Map.groupBy(inputs.filter(isInQuery), pageOf);
  // Many pages have one form: each is compared once.
  const byForm = Map.groupBy(byPage.values(), (members) => JSON.stringify([...namesOf(members)].sort()));
  const forms = [...byForm.values()]
    .map((pages) => ({ names: namesOf(pages.flat()), pages: pages.length, inputs: pages.flat() }))
    .filter(({ names }) => names.size >= fewestShared);
  const shared = new Set(
    forms.flatMap((form) => {
      const like = forms.filter(
        ({ names }) => [...names].filter((name) => form.names.has(name)).length >= fewestShared,
      );
      return form.inputs.filter(({ parameter }) => pagesWith(parameter, like) > fewestPages).map(placeOf);
    }),
  );
  return (input) => isInQuery(input) && shared.has(placeOf(input));
}

const isInQuery = ({ method, in: place }: InputSurface): boolean => method === 'GET' && place === 'query';

const pageOf = ({ url }: InputSurface): string => url.replace(/[?#].*$/s, '');

const placeOf = (input: InputSurface): string => `${pageOf(input)} ${input.parameter}`;

const namesOf = (members: readonly InputSurface[]): Set<string> =>
  new Set(members.flatMap(({ parameter, others }) => [parameter, ...others.map(({ name }) => name)]));

const pagesWith = (parameter: string, forms: readonly NameSet[]): number =>
  forms.reduce((sum, { names, pages }) => (names.has(parameter) ? sum + pages : sum), 0);
