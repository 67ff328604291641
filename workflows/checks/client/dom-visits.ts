import type { InputSurface } from '../../model/surface.ts';
import { isLeftOut } from '../../probe/errors.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { importNamesIn, membersIn, namesIn } from './address-names.ts';
import {
  addressWith,
  changesOf,
  clicksOfChanges,
  type Entrance,
  entering,
  jsonAddress,
  withParameters,
} from './entrances.ts';
import { hashRouteVisits, lastPartVisits, pairNames } from './hash-route-visits.ts';
import { messageVisits, readsMessages } from './message-visits.ts';
import { hasSink } from './script-sinks.ts';
import type { ScriptedPage } from './scripted-pages.ts';
import { spelledQueries, spelledVisits } from './spelled-visits.ts';
import type { TracedVisit } from './traced-visit.ts';

/** Script that reads the address of its page, of the one before, the name of its window, or what others post to it. */
export const readsFromOthers = (script: string): boolean =>
  readsMessages(script) || readsAddress(script) || isGivenAddress(script);

const readsAddress = (script: string): boolean =>
  /\blocation\b|\bdocument\s*\.\s*(?:URL|documentURI|baseURI|referrer)\b|\b(?:window|self|top|globalThis)\s*\.\s*name\b|\b(?:on)?hashchange\b|\b(?:on)?popstate\b/.test(
    script,
  );

/** A module that has the address from a router, and makes something of it. */
const isGivenAddress = (script: string): boolean =>
  hasSink(script) &&
  (/\b(?:URLSearchParams|searchParams|queryParams|queryParamMap)\b|\.query\b(?!\s*\()/.test(script) ||
    (/\b(?:inner|dangerouslySetInner)HTML\b/.test(script) && takesMembers.test(script)));
/** `const { name } = useParams()`, as bundlers write it. */
const takesMembers = /\{[\w$,:\s]{1,100}\}\s*=\s*(?:\(0,\s*)?[\w$.]{1,40}\)?\(\)/;

const readsFragment = (script: string): boolean => /\bhash\b|\bhref\b|\bURL\b|\bdocumentURI\b|\bbaseURI\b/.test(script);
const readsQuery = (script: string): boolean =>
  /\blocation\s*\.\s*(?:search|href)\b|\bdocument\s*\.\s*(?:URL|documentURI)\b/.test(script);
const readsName = (script: string): boolean => /\b(?:window|self|top|globalThis)\s*\.\s*name\b/.test(script);
const readsPath = (script: string): boolean =>
  /\blocation\s*\.\s*pathname\b/.test(script) || (isGivenAddress(script) && takesMembers.test(script));
const readsReferrer = (script: string): boolean => /\bdocument\s*\.\s*referrer\b/.test(script);
const parsesJson = (script: string): boolean => /\bJSON\s*\.\s*parse\b/.test(script);
const waitsForChange = (script: string): boolean => /\b(?:on)?hashchange\b/.test(script);

/** A handler in the same script, or in an attribute. */
const waitsForPress = (script: string): boolean => /\bclick\b|\bonclick\b/.test(script);

/** A parameter for a script that reads the query as a whole. */
const anyName = 'q';
/** Parameters that may hold JSON. */
const maxJsonNames = 3;
/** Addresses of modules that are tried on one page. */
const maxGuesses = 2;

type TracedPage = { visits: TracedVisit[] /** Entrances that may lead to \`import()\`. */; guesses: Entrance[] };

/** The visits that show what the scripts of a page do with its address, and what no visit shows. */
export async function visitsOf(context: CheckContext, page: ScriptedPage): Promise<TracedPage> {
  const { url: pageUrl, scripts, anew = scripts, newNames = [], echoes = [] } = page;
  const { nonce, surface } = context;
  const messages = messageVisits(context, pageUrl, anew);
  const reading = scripts.filter((script) => readsAddress(script) || isGivenAddress(script));
  // What few scripts do was tried on other pages of those that are on many.
  const fresh = reading.filter((script) => anew.includes(script));
  const inRoutes = hashRouteVisits(context, page);
  if (reading.length === 0)
    return { visits: [...echoVisit(context, pageUrl, echoes), ...inRoutes, ...messages], guesses: [] };
  const known = surface.inputs.filter((input) => input.in === 'query' && sameAddress(input.url, pageUrl));
  const own = [...known.map(({ parameter }) => parameter), ...pairNames(page)];
  const found = [...new Set([...own, ...namesIn(context, reading)])];
  const names = found.length === 0 && reading.some(readsQuery) ? [anyName] : found;
  const queries = names.map((parameter): [string, Entrance] => [nonce(), { in: 'query', pageUrl, parameter }]);
  const fragments = (befores: string[]): [string, Entrance][] =>
    befores.map((before) => [nonce(), { in: 'fragment', pageUrl, before }]);
  const named = reading.some(readsName) ? [[nonce(), { in: 'name', pageUrl }] as const] : [];
  const asQuery = await queryVisit(context, pageUrl, queries);

  // The fragment first: a script that takes the whole address has all words in it, and any of them would do.
  const plain = new Map([...fragments(['']), ...(asQuery ? queries : []), ...named]);
  const [word = ''] = plain.keys();
  const windowName = named[0]?.[0];
  const presses = reading.some(waitsForPress) ? { presses: true as const } : {};
  const visits: TracedVisit[] = [
    {
      url: `${asQuery ?? pageUrl}#${word}`,
      words: plain,
      ...presses,
      ...(windowName === undefined ? {} : { windowName }),
    },
  ];
  const isFragmentRead = reading.some(readsFragment);
  const members = membersIn(context, reading);
  if (isFragmentRead) visits.push(...lastPartVisits(context, page));
  if (isFragmentRead && fresh.length > 0) {
    const [route] = fragments(['/']);
    if (route) visits.push({ url: addressWith(route[1], route[0]), words: new Map([route]) });
    const pairs = fragments(names.map((name) => `${name}=`));
    const joined = pairs.map(([value, entrance]) => `${'before' in entrance ? entrance.before : ''}${value}`).join('&');
    if (pairs.length > 0) visits.push({ url: `${pageUrl}#${joined}`, words: new Map(pairs), ...presses });
    visits.push(...jsonVisit(context, pageUrl, members));
  }
  for (const parameter of jsonNames(context, reading, fresh.some(parsesJson) ? names : newNames, known))
    visits.push(...jsonVisit(context, pageUrl, members, parameter));
  visits.push(...inRoutes);
  visits.push(...spelledVisits(context, { pageUrl, reading: fresh, names, members }));
  const often = reading.filter((script) => !fresh.includes(script));
  visits.push(...spelledQueries(context, { pageUrl, reading: often, names: newNames, members }));
  if (!asQuery) visits.push(...echoVisit(context, pageUrl, echoes));
  visits.push(...messages);
  visits.push(...(await rareVisits(context, pageUrl, fresh)));
  const imported = new Set(importNamesIn(context, scripts));
  const guesses: Entrance[] = names
    .filter((name) => imported.has(name))
    .map((parameter) => ({ in: 'query', pageUrl, parameter }));
  if (isFragmentRead && imported.has('hash')) guesses.unshift({ in: 'fragment', pageUrl, before: '' });
  return { visits, guesses: likeliest(context, guesses, maxGuesses, 'addresses of modules') };
}

/** Words that the server puts into the page, from where its scripts may read them. */
function echoVisit({ nonce }: CheckContext, pageUrl: string, echoes: readonly string[]): TracedVisit[] {
  const words = new Map(echoes.map((parameter): [string, Entrance] => [nonce(), { in: 'query', pageUrl, parameter }]));
  const pairs = [...words.keys()].map((word, index) => [echoes[index] ?? '', word] as const);
  return words.size === 0 ? [] : [{ url: withParameters(pageUrl, pairs), words }];
}

/** All members at once: a script may want more than one. */
function jsonVisit(
  { nonce }: CheckContext,
  pageUrl: string,
  members: readonly string[],
  parameter?: string,
): TracedVisit[] {
  const place = { pageUrl, ...(parameter !== undefined && { parameter }) };
  const words = new Map(members.map((member): [string, Entrance] => [nonce(), { in: 'json', ...place, member }]));
  const pairs = [...words.keys()].map((word, index) => [members[index] ?? '', word] as const);
  const isLastResort = parameter !== undefined;
  return words.size === 0 ? [] : [{ url: jsonAddress(place, pairs), words, isLastResort }];
}

/** Parameters that hold JSON in a link, or may where a script reads some. */
function jsonNames(
  context: CheckContext,
  scripts: readonly string[],
  names: readonly string[],
  known: readonly InputSurface[],
): string[] {
  const holding = known.filter(({ sample }) => /^[{[]/.test(sample)).map(({ parameter }) => parameter);
  const mayHold = scripts.some(parsesJson) ? names : [];
  return likeliest(context, [...new Set([...holding, ...mayHold])], maxJsonNames, 'parameters with JSON');
}

/** Visits for what few scripts read. */
async function rareVisits(context: CheckContext, pageUrl: string, reading: readonly string[]): Promise<TracedVisit[]> {
  const { nonce } = context;
  const visits: TracedVisit[] = [];
  const [path, referrer] = [nonce(), nonce()];
  const folder = reading.some(readsPath) ? await folderOf(context, pageUrl, path) : undefined;
  if (folder !== undefined) {
    const entrance: Entrance = { in: 'path', pageUrl, folder };
    visits.push({ ...entering(entrance, path), words: new Map([[path, entrance]]) });
  }
  if (reading.some(readsReferrer)) {
    const entrance: Entrance = { in: 'referrer', pageUrl };
    const opened = entering(entrance, referrer);
    visits.push({ ...opened, url: opened.url.replaceAll('‹nonce›', nonce()), words: new Map([[referrer, entrance]]) });
  }
  if (reading.some(waitsForChange)) {
    const changes = ['', '/'].map((before): [string, Entrance] => [nonce(), { in: 'change', pageUrl, before }]);
    const parts = changes.map(([word, entrance]) => `${'before' in entrance ? entrance.before : ''}${word}`);
    const url = changesOf(pageUrl.split('#')[0] ?? '', parts);
    visits.push({ url, clicks: clicksOfChanges(parts.length), words: new Map(changes), isLastResort: true });
  }
  return visits;
}

/** Below the page, or beside it: where the server gives a page for a name that nobody has. */
async function folderOf({ http }: CheckContext, pageUrl: string, word: string): Promise<string | undefined> {
  const { origin, pathname } = new URL(pageUrl);
  for (const folder of new Set([`${pathname.replace(/\/$/, '')}/`, pathname.replace(/[^/]*$/, '')])) {
    const answer = await http.get(`${origin}${folder}${word}`);
    if (answer.status === 200 && isHtml(answer) && !answer.text.includes(word)) return folder;
  }
  return undefined;
}

/** The address with all words in its query; undefined when the server does not show the page then. */
async function queryVisit(
  { http }: CheckContext,
  pageUrl: string,
  queries: readonly [string, Entrance][],
): Promise<string | undefined> {
  const pairs = queries.flatMap(([word, entrance]) =>
    entrance.in === 'query' ? [[entrance.parameter, word] as const] : [],
  );
  const url = withParameters(pageUrl, pairs);
  if (pairs.length === 0) return undefined;
  try {
    const answer = await http.get(url);
    return answer.status === 200 && isHtml(answer) ? url : undefined;
  } catch (error) {
    if (isLeftOut(error)) return undefined;
    throw error;
  }
}

const sameAddress = (a: string, b: string): boolean => a.replace(/[?#].*$/s, '') === b.replace(/[?#].*$/s, '');
