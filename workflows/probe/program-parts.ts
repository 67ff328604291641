import { parseJson } from '../model/json.ts';
import { normaliseRoute } from './routes.ts';

/** Names of parameters by which programs that have one address choose what they do or show. */
const selectorName =
  /^(?:a|action|act|area|c|cmd|command|content|controller|do|func(?:tion)?|go|m|mod|mode|module|nav|op|operation|option|p|page|pg|path|r|_?route|screen|section|show|site|step|tab|task|view)$/i;
/** Names of parts: words, as "login", "user/edit" or "stock-list". */
const partName = /^\/?[a-z]{2,30}(?:[-_./][a-z]{1,30}){0,3}$/i;

type PartChoice = { readonly name: string; readonly value: string };

/** The part of a program that parameters choose by a word, for instance { name: "view", value: "login" }; the first of them. */
export const chosenPart = (parameters: readonly PartChoice[]): PartChoice | undefined =>
  parameters.find(({ name, value }) => selectorName.test(name) && partName.test(value));

/** The first parameter whose value could be a part's name, whatever it is called itself. */
export const wordIn = (parameters: readonly PartChoice[]): PartChoice | undefined =>
  parameters.find(({ value }) => partName.test(value));

const path = /^(?=.{3,100}$)\/?[a-z][\w-]*(?:\/[a-z][\w-]*)+$|^\/[a-z][\w-]*$/i;

/** The path that a program reads from a parameter, for instance "/server/engines" of "?route=/server/engines", numbers in it included. */
export const pathIn = (parameters: readonly PartChoice[]): string | undefined =>
  parameters.find(({ name, value }) => (selectorName.test(name) || name === 'q') && path.test(value))?.value;

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

/** Members of JSON that name a procedure, on a server that has one address for all. */
const procedureName = /^(?:action|cmd|command|do|fn|func(?:tion)?|method(?:Name)?|op|operation|procedure)$/;

/** The member of a JSON body that names the procedure which it calls: { name: "method", value: "parts.find" } of JSON-RPC. */
export function calledProcedure(root: unknown): PartChoice | undefined {
  if (typeof root !== 'object' || root === null || Array.isArray(root)) return undefined;
  return Object.entries(root)
    .map(([name, value]) => ({ name, value: String(value) }))
    .find(({ name, value }) => procedureName.test(name) && partName.test(value));
}

/** The procedure of an input's route: "parts.find" of "/rpc#parts.find". Otherwise "". */
export const procedureOf = (route: string): string => route.split('#')[1] ?? '';

/** What a body chooses of the program that it is sent to; "" where nothing in it does. */
export function partOfBody(contentType: string, body: string): string {
  if (/\bjson\b/i.test(contentType)) return calledProcedure(parseJson(body))?.value ?? '';
  if (!/urlencoded/i.test(contentType)) return '';
  return chosenPart([...new URLSearchParams(body)].map(([name, value]) => ({ name, value })))?.value ?? '';
}

/** A chosen part as it stands in a route. */
export const inQuery = (part: PartChoice | undefined): string => (part ? `?${part.name}=${part.value}` : '');

/** The parameters of an address, in its order. */
export function parametersOf(url: string): PartChoice[] {
  const [, query = ''] = /^[^?#]*\?([^#]*)/s.exec(url) ?? [];
  return query === '' ? [] : [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }));
}
