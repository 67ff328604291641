import type { HttpAction } from '../../model/experiment.ts';
import { parseJson } from '../../model/json.ts';
import type { InputSurface, Surface } from '../../model/surface.ts';
import { partRoute } from '../../probe/program-parts.ts';
import { isProgram } from '../../survey/unnamed-inputs.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { encodeTemplate } from '../inputs/input-url.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import { readCalls } from '../sessions/objects.ts';
import { bodyDialects, type FieldCondition, type FilterDialect, queryDialects } from './filter-dialects.ts';
import { plain } from './hidden-fields.ts';

/** An address, or a body of JSON, that may list what conditions in it choose. */
export type FilteredList = {
  method: 'GET' | 'POST';
  url: string;
  route: string;
  /** What sends the body. */
  input?: OpenedInput;
  dialects: FilterDialect[][];
  /** Names by which the site itself lets visitors filter. */
  offered: ReadonlySet<string>;
};

/** Conditions with the dialect that they are written in. */
export type WrittenConditions = { dialect: FilterDialect; conditions: readonly FieldCondition[] };

/** A file of a disk, and what a site names as its own description. */
const noProgram = /\.(?:html?|txt|xml|js|css|map|webmanifest)$|\/(?:openapi|swagger|package|manifest)[\w.-]*$/i;

/** Pages and answers that the visitor is shown, one of each route, data first; then requests that send an object in JSON and read. */
export function filteredLists(surface: Surface): FilteredList[] {
  const { origin } = new URL(surface.url);
  const pages = surface.pages.filter((page) => page.status === 200 && isProgram(page));
  const isData = ({ contentType }: { contentType: string }): boolean => /json/i.test(contentType);
  const queried = surface.inputs.filter((input) => input.method === 'GET' && input.in === 'query');
  const urls = [
    ...pages.filter(isData).map(({ url }) => url),
    ...readCalls(surface).map(({ url }) => url),
    ...queried.map((input) => inputAction(input, input.sample).url),
    ...pages.filter((page) => !isData(page)).map(({ url }) => url),
  ].filter((url) => URL.parse(url)?.origin === origin && !noProgram.test(new URL(url).pathname));
  const routes = Map.groupBy(
    urls.map((url) => url.replace(/#.*$/s, '')),
    partRoute,
  );
  const gets = [...routes].flatMap(([route, [url]]) => (url === undefined ? [] : getList(surface, route, url)));
  return [...gets, ...postLists(surface)];
}

function getList({ inputs, forms }: Surface, route: string, url: string): FilteredList {
  const own = inputs.filter(
    (input) => input.method === 'GET' && input.in === 'query' && partRoute(input.url) === route,
  );
  const known = [...new URL(url).searchParams.keys(), ...own.map(({ parameter }) => parameter)];
  const typed = forms.filter(({ method, action }) => method === 'GET' && partRoute(action) === route);
  const given = [
    ...new URL(url).searchParams,
    ...own.map(({ parameter, sample }) => [parameter, sample] as const),
    ...typed.flatMap(({ fields }) => fields.map(({ name }) => [name, name] as const)),
  ];
  // Of what was guessed to be read nobody knows how it is written.
  const texts = given.filter(([, value]) => value !== '' && !value.startsWith('{')).map(([name]) => name);
  return {
    ...{ method: 'GET', url, route },
    dialects: queryDialects(
      known.flatMap((name) => /^([\w$-]{1,30})\[/.exec(name)?.[1] ?? []),
      new Set(texts),
    ),
    offered: offeredBy(known),
  };
}

/** A name with an operator is what the site itself compares by; one alone is compared as a whole, so that a mail address is known before. */
const offeredBy = (names: readonly string[]): Set<string> =>
  new Set(
    names.flatMap((name) => {
      const parts = name.split(/__|[[\].]+/).map(plain);
      return parts.length > 1 || /mail/.test(name) ? parts : [];
    }),
  );

/** A POST that is tried was seen to read. */
function postLists(surface: Surface): FilteredList[] {
  const lists = new Map<string, FilteredList>();
  for (const input of inputsToProbe(surface)) {
    const body = bodyOf(input);
    const key = `${input.url} ${Object.keys(body ?? {}).join()}`;
    if (!body || lists.has(key)) continue;
    const roots = Object.keys(body).filter((name) => isObject(body[name]));
    lists.set(key, {
      ...{ method: 'POST', url: input.url, route: input.route, input, dialects: bodyDialects(roots) },
      offered: offeredBy(namesIn(body)),
    });
  }
  return [...lists.values()];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function bodyOf(input: InputSurface): Record<string, unknown> | undefined {
  const isJson = input.in === 'body' && input.contentType?.startsWith('application/json') && !input.json?.literal;
  if (!isJson || input.method !== 'POST' || input.isStored || input.renamed || input.encoded) return undefined;
  const body = parseJson(inputAction(input, input.sample).body ?? '');
  // What GraphQL takes it describes itself.
  return isObject(body) && !isGraphQl(body['query']) ? body : undefined;
}

const isGraphQl = (query: unknown): boolean => typeof query === 'string' && query.includes('{');

/** Names of members, each with those on the way to it. */
const namesIn = (value: unknown): string[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, each]) => [name, ...namesIn(each).map((inner) => `${name}.${inner}`)])
    : [];

/** The list's own request with conditions in it. */
export function filteringAction(list: FilteredList, written: readonly WrittenConditions[]): HttpAction {
  return list.input ? bodyAction(list.input, written) : { url: queryUrl(list.url, written) };
}

function queryUrl(url: string, written: readonly WrittenConditions[]): string {
  const { origin, pathname, searchParams } = new URL(url);
  const added = written.flatMap(({ dialect, conditions }) => (dialect.in === 'query' ? dialect.write(conditions) : []));
  // A parameter of the same name would make a list of both.
  const names = new Set(added.flatMap(({ name }) => [name, name.replace(/\[.*$/s, '')]));
  const own = [...searchParams].filter(([name]) => !names.has(name)).map(([name, value]) => ({ name, value }));
  const query = [...own, ...added].map(({ name, value }) => `${encodeTemplate(name)}=${encodeTemplate(value)}`);
  return `${origin}${pathname}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

function bodyAction(input: OpenedInput, written: readonly WrittenConditions[]): HttpAction {
  const action = inputAction(input, input.sample);
  const body = parseJson(action.body ?? '');
  const added = written.flatMap(({ dialect, conditions }) =>
    dialect.in === 'body' ? [dialect.member(conditions)] : [],
  );
  return { ...action, body: JSON.stringify(added.reduce(merged, isObject(body) ? body : {})) };
}

function merged(target: Record<string, unknown>, added: Record<string, unknown>): Record<string, unknown> {
  const result = { ...target };
  for (const [name, value] of Object.entries(added)) {
    const before = result[name];
    result[name] = isObject(before) && isObject(value) ? merged(before, value) : value;
  }
  return result;
}
