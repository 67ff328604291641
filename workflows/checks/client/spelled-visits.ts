import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { addressWith, type Entrance, inBase64, withParameters } from './entrances.ts';
import { matchesIn } from './script-matches.ts';
import { hasSink } from './script-sinks.ts';
import type { TracedVisit } from './traced-visit.ts';

/** Names and routes that are examined in one page. */
const maxNames = 6;
const maxRoutes = 3;
/** Of each name there are four visits when values are in base64. */
const maxEncodedNames = 2;

const decodesBase64 = (script: string): boolean => /\batob\s*\(|\bBase64\b|["'`]base64["'`]/.test(script);
/** A fragment that is a route with a query of its own, as in "#/search?term=". */
const splitsRoute = (script: string): boolean => /(?:split|indexOf|search)\(\s*["'`]\?["'`]|\\\?/.test(script);
const hashBang = (script: string): boolean => /#!|["'`]!\/?["'`]/.test(script);
const routeLiteral = /["'`]#?!?(\/[a-z][\w/-]{0,40})["'`?]/gi;

type Written = { pageUrl: string; reading: readonly string[]; names: readonly string[]; members: readonly string[] };

/** Visits in which a value is written as some scripts want it: in base64, behind "#!", in the query of a route of the fragment. */
export function spelledVisits(context: CheckContext, written: Written): TracedVisit[] {
  return [...routeVisits(context, written), ...base64Visits(context, written), ...addressVisits(context, written)];
}

/** Those of them in which parameters of the query are written like that. */
export function spelledQueries(context: CheckContext, written: Written): TracedVisit[] {
  if (written.names.length === 0) return [];
  const visits = [...base64Visits(context, written), ...addressVisits(context, written)];
  return visits.filter(({ words }) => [...words.values()].every(isInQuery));
}

const isInQuery = (entrance: Entrance): boolean =>
  entrance.in === 'query' || (entrance.in === 'base64' && entrance.at.in === 'query');

/** A script that goes only where an address has a scheme or the name of its host, wherever in it that stands. */
const looksForAddress =
  /(?:indexOf|includes|search|match|test)\(\s*(?:["'`/](?:https?\b|:?\/\/|[\w-]+\.[\w.-]+["'`])|(?:\w+\.)?location\.(?:host|hostname|origin)\b)|\/[^/\n]{0,10}https?[^/\n]{0,20}\/i?\.test\(/g;
/** Beside something that reads the address; bundles hold much else. */
const nearby = 300;
const readsAddress = /\blocation\b|URLSearchParams|searchParams/;

const goesWhereNamed = (context: CheckContext, script: string): boolean =>
  hasSink(script) &&
  matchesIn(context, script, looksForAddress).some(({ index }) =>
    readsAddress.test(script.slice(Math.max(0, index - nearby), index + nearby)),
  );

/** All names at once, each with what such a script looks for behind the word. */
function addressVisits(context: CheckContext, { pageUrl, reading, names }: Written): TracedVisit[] {
  if (!reading.some((script) => goesWhereNamed(context, script))) return [];
  const { origin } = new URL(pageUrl);
  const [page = ''] = pageUrl.split('#');
  const value = () => `${context.nonce()}//${origin}/https://`;
  const likely = likeliest(context, names, maxNames, 'names whose values may be addresses');
  const queries = new Map(
    likely.map((parameter): [string, Entrance] => [value(), { in: 'query', pageUrl, parameter }]),
  );
  const whole = value();
  const pairs = [...queries].flatMap(([text, entrance]): [string, string][] =>
    'parameter' in entrance && entrance.parameter !== undefined ? [[entrance.parameter, encodeURIComponent(text)]] : [],
  );
  return [
    ...(queries.size > 0 ? [{ url: withParameters(page, pairs), words: queries, isLastResort: true }] : []),
    { url: `${page}#${whole}`, words: new Map([[whole, fragment(pageUrl, '')]]), isLastResort: true },
  ];
}

function routeVisits(context: CheckContext, { pageUrl, reading, names }: Written): TracedVisit[] {
  const { nonce } = context;
  const scripts = reading.filter((script) => /\bhash\b/.test(script));
  const bang = scripts.some(hashBang) ? ['!', '!/'].map((before) => visitWith(nonce, fragment(pageUrl, before))) : [];
  if (names.length === 0 || !scripts.some(splitsRoute)) return bang;
  const routes = new Set(
    scripts.flatMap((script) => [...script.matchAll(routeLiteral)].map(([, route = '']) => route)),
  );
  const likelyRoutes = likeliest(context, [...routes], maxRoutes, 'routes of the fragment');
  const likelyNames = likeliest(context, names, maxNames, 'names in routes of the fragment');
  const starts = ['/?', ...likelyRoutes.map((route) => `${route}?`)];
  const inRoutes = starts.map((start) => pairsVisit(nonce, pageUrl, start, likelyNames));
  return [...bang, ...inRoutes];
}

const fragment = (pageUrl: string, before: string): Entrance => ({ in: 'fragment', pageUrl, before });

function visitWith(nonce: CheckContext['nonce'], entrance: Entrance): TracedVisit {
  const word = nonce();
  return { url: addressWith(entrance, word), words: new Map([[word, entrance]]) };
}

/** All names of one route at once. */
function pairsVisit(
  nonce: CheckContext['nonce'],
  pageUrl: string,
  start: string,
  names: readonly string[],
): TracedVisit {
  const words = new Map(names.map((name) => [nonce(), fragment(pageUrl, `${start}${name}=`)]));
  const pairs = [...words.keys()].map((word, index) => `${names[index]}=${word}`);
  return { url: `${pageUrl.split('#')[0]}#${start}${pairs.join('&')}`, words, isLastResort: true };
}

/** The fragment as a whole, then parameters of either part; as they are, then as the members of JSON that scripts read. */
function base64Visits(context: CheckContext, { pageUrl, reading, names, members }: Written): TracedVisit[] {
  const { nonce } = context;
  if (!reading.some(decodesBase64)) return [];
  const places: Entrance[] = [
    fragment(pageUrl, ''),
    ...likeliest(context, names, maxEncodedNames, 'names whose values may be in base64').flatMap((name): Entrance[] => [
      { in: 'query', pageUrl, parameter: name },
      fragment(pageUrl, `${name}=`),
    ]),
  ];
  return places.flatMap((at) =>
    [[undefined], members].flatMap((inside): TracedVisit[] => {
      const words = new Map(inside.map((member): [string, Entrance] => [nonce(), encodedIn(pageUrl, at, member)]));
      const pairs = [...words.keys()].map((word, index) => [inside[index], word] as const);
      return words.size === 0 ? [] : [{ url: addressWith(at, inBase64(pairs)), words, isLastResort: true }];
    }),
  );
}

const encodedIn = (pageUrl: string, at: Entrance, member: string | undefined): Entrance => ({
  in: 'base64',
  pageUrl,
  at,
  ...(member === undefined ? {} : { member }),
});
