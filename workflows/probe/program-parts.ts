import { normaliseRoute } from './routes.ts';

/** Names of parameters by which programs that have one address choose what they do or show. */
const selectorName =
  /^(?:action|act|area|c|cmd|command|content|controller|do|func(?:tion)?|go|m|mod|mode|module|nav|op|operation|option|p|page|pg|path|r|route|screen|section|show|site|step|tab|task|view)$/i;
/** Names of parts: words, as "login", "user/edit" or "stock-list". */
const partName = /^\/?[a-z]{2,30}(?:[-_./][a-z]{1,30}){0,3}$/i;

type PartChoice = { readonly name: string; readonly value: string };

/** The part of a program that parameters choose by a word, for instance { name: "view", value: "login" }; the first of them. */
export const chosenPart = (parameters: readonly PartChoice[]): PartChoice | undefined =>
  parameters.find(({ name, value }) => selectorName.test(name) && partName.test(value));

/** The part that an address chooses: "login" of "/index.php?view=login". Otherwise "". */
export const partOf = (url: string): string => chosenPart(parametersOf(url))?.value ?? '';

/**
 * The route of a URL, with the part of a program that a parameter chooses: "/index.php?view=cart". Pages made by the same code have
 * the same, also where a site has one address for all of them.
 */
export function partRoute(url: string): string {
  return normaliseRoute(url) + inQuery(chosenPart(parametersOf(url)));
}

/**
 * The path of a URL, with the part that a parameter chooses as its last name: "/index.php/profile" of "/index.php?view=profile". Words
 * say what a page is for in either.
 */
export function namedPath(url: string): string {
  const { pathname } = new URL(url);
  const part = partOf(url);
  return part === '' ? pathname : `${pathname.replace(/\/$/, '')}/${part.replace(/^\//, '')}`;
}

/** A chosen part as it stands in a route. */
export const inQuery = (part: PartChoice | undefined): string => (part ? `?${part.name}=${part.value}` : '');

/** The parameters of an address, in its order. */
export function parametersOf(url: string): PartChoice[] {
  const [, query = ''] = /^[^?#]*\?([^#]*)/s.exec(url) ?? [];
  return query === '' ? [] : [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }));
}
