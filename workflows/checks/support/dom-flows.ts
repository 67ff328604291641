import type { SinkCall } from '../../probe/browser/types.ts';
import { dangerOf } from '../../probe/crawl/danger.ts';
import type { CheckContext } from '../contract.ts';
import { namesIn } from './address-names.ts';
import { addressWith, type Entrance, withParameters } from './entrances.ts';
import { isHtml } from './html.ts';
import type { ScriptedPage } from './scripted-pages.ts';

/** A value of the address that script gave to a sink; `word` stands for it in the text of the call. */
export type Flow = { entrance: Entrance; word: string; call: SinkCall };

/** Script that reads the address of its page, or the name of its window. */
export const readsAddress = (script: string): boolean =>
  /\blocation\b|\bdocument\s*\.\s*(?:URL|documentURI|baseURI)\b|\b(?:window|self|top|globalThis)\s*\.\s*name\b|\bhashchange\b|\bpopstate\b/.test(
    script,
  );

const readsFragment = (script: string): boolean => /\bhash\b|\bhref\b|\bURL\b|\bdocumentURI\b|\bbaseURI\b/.test(script);
const readsQuery = (script: string): boolean =>
  /\blocation\s*\.\s*(?:search|href)\b|\bdocument\s*\.\s*(?:URL|documentURI)\b/.test(script);
const readsName = (script: string): boolean => /\b(?:window|self|top|globalThis)\s*\.\s*name\b/.test(script);

/** A parameter for a script that reads the query as a whole. */
const anyName = 'q';
/** Calls of one page that are gone into. */
const maxFlows = 6;

type Visit = { url: string; words: Map<string, Entrance>; windowName?: string };

/**
 * Opens a page with a word in each place that its scripts may read, and looks what they do with it. At most three visits.
 * @throws ProbeError
 */
export async function flowsOf(context: CheckContext, page: ScriptedPage): Promise<Flow[]> {
  const flows = new Map<string, Flow>();
  for (const { url, words, windowName } of await visitsOf(context, page)) {
    const trace = { words: [...words.keys()], ...(windowName === undefined ? {} : { windowName }) };
    const { sinkCalls } = await context.browser.visit({ url, trace });
    for (const call of sinkCalls) {
      const [word, entrance] = [...words].find(([each]) => call.text.includes(each)) ?? [];
      if (word === undefined || !entrance) continue;
      // The same call with another word is the same mistake.
      const masked = [...words.keys()].reduce((text, each) => text.replaceAll(each, '‹word›'), call.text);
      const key = JSON.stringify([entrance, call.sink, call.element, call.script, masked]);
      if (flows.size < maxFlows && !flows.has(key)) flows.set(key, { entrance, word, call });
    }
  }
  return [...flows.values()];
}

async function visitsOf(context: CheckContext, { url: pageUrl, scripts }: ScriptedPage): Promise<Visit[]> {
  const { nonce, surface } = context;
  const reading = scripts.filter(readsAddress);
  const known = surface.inputs.filter((input) => input.in === 'query' && sameAddress(input.url, pageUrl));
  const found = [...new Set([...known.map(({ parameter }) => parameter), ...namesIn(reading)])];
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
  const visits: Visit[] = [
    {
      url: `${asQuery ?? pageUrl}#${word}`,
      words: plain,
      ...(windowName === undefined ? {} : { windowName }),
    },
  ];
  if (!reading.some(readsFragment)) return visits;
  const [route] = fragments(['/']);
  if (route) visits.push({ url: addressWith(route[1], route[0]), words: new Map([route]) });
  const pairs = fragments(names.map((name) => `${name}=`));
  const joined = pairs.map(([value, entrance]) => `${'before' in entrance ? entrance.before : ''}${value}`).join('&');
  if (pairs.length > 0) visits.push({ url: `${pageUrl}#${joined}`, words: new Map(pairs) });
  return visits;
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
  if (pairs.length === 0 || dangerOf(url, '') !== undefined) return undefined;
  const answer = await http.get(url);
  return answer.status === 200 && isHtml(answer) ? url : undefined;
}

const sameAddress = (a: string, b: string): boolean => a.replace(/[?#].*$/s, '') === b.replace(/[?#].*$/s, '');
