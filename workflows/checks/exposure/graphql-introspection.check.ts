import { createHash } from 'node:crypto';
import type { Candidate } from '../../model/candidate.ts';
import { type Assertion, claim, type HttpAction } from '../../model/experiment.ts';
import { asksGraphQl } from '../../probe/graphql-address.ts';
import { normaliseRoute } from '../../probe/routes.ts';
import { firstMatch } from '../../proof/pattern.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { atMost, widened } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { siteRoots } from '../pages/folders.ts';
import { ownScripts } from '../pages/scripts.ts';
import { lookAtGuesses } from './guesses.ts';

/** Where servers put it by default or by habit: Apollo, Yoga, Hasura, Spring, Hot Chocolate, WordPress, Magento; the likeliest first. */
const places = [
  'graphql',
  'api/graphql',
  'v1/graphql',
  'query',
  'gql',
  'api',
  'api/v1/graphql',
  'graphql/v1',
  'graphql/api',
  'api/gql',
  'api/query',
  'v2/graphql',
  'graphql.php',
  'index.php?graphql',
  'api/v2/graphql',
  'graph',
  'api/graph',
  'gateway/graphql',
  '___graphql',
];
/** So many of them are asked for on any site. */
const likely = 6;

const maxScripts = 20;
const maxNamed = 20;
/** An address of the site that a script names. */
const named = /["'`](\/(?:[\w.-]{1,60}\/){0,6}[\w.-]{0,40}(?:graphql|gql)[\w/-]{0,40})["'`?]/gi;

/** What only an introspection of the schema answers. Source: GraphQL specification, §4.2 Schema Introspection. */
const introspected = '(?s)"data"\\s*:\\s*\\{.*"__schema"\\s*:\\s*\\{.*"queryType"\\s*:\\s*\\{\\s*"name"\\s*:\\s*"';

/** Some servers take queries in the address alone. */
type Method = 'POST' | 'GET';

/** @property schema digest of its names: endpoints that answer with the same one are one server's */
type GraphqlEndpoint = { method: Method; schema: string };

const schemaQuery = '{ __schema { queryType { name } types { kind name } } }';

/** The schema of a GraphQL endpoint can be asked for by everybody. Source: WSTG-APIT-99, CWE-200. */
export const graphqlIntrospection = defineCheck<GraphqlEndpoint>({
  id: 'exposure.graphql-introspection',
  title: 'GraphQL introspection enabled',
  cwe: 200,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 10,

  async detect(context) {
    const { surface } = context;
    const urls = [...surface.pages.map(({ url }) => url), ...surface.inputs.map(({ url }) => url)];
    const seen = [
      ...surface.calls.filter(asksGraphQl).map(({ url }) => url),
      ...urls.filter((url) => /(?:graphql|gql)[\w-]*\/?$/i.test(new URL(url).pathname)),
    ].map((url) => url.replace(/[?#].*$/s, ''));
    const files = atMost(context, ownScripts(surface), widened(context, maxScripts), 'script files');
    const scripts = await inParallel(files, 4, (url) => namedBy(context, url));
    const usual = (part: readonly string[]) => siteRoots(surface).flatMap((root) => part.map((place) => root + place));
    const named = atMost(context, [...new Set(scripts.flat())], maxNamed, 'addresses in scripts');
    const first = new Set([...seen, ...named, ...usual(places.slice(0, likely))]);
    const further = usual(places.slice(likely)).filter((url) => !first.has(url));
    return oneForEachSchema(await lookAtGuesses(context, { first: [...first], further }, look));
  },

  confirm: (_context, { location: { url }, data: { method } = { method: 'POST' } }) => ({
    steps: [
      {
        ...ask(method, url, schemaQuery),
        note: 'The endpoint answers a query for its schema.',
      },
    ],
    control: [
      {
        ...ask(method, url, '{ __typename ‹nonce›: __typename }'),
        note: 'An ordinary query is not answered with a schema: the answer follows from what is asked.',
      },
    ],
  }),

  explain: {
    description:
      'The GraphQL endpoint answers introspection: a query without logging in returns every type, field, query and mutation of the schema. For an API that others are to use that is intended; for the private API of one site it need not be.',
    impact:
      'The schema lists also what no page of the site uses: mutations for administrators, fields that should not leave the server. Whoever looks for a resolver that forgot to check who asks need not guess. It is no hole by itself.',
    sends:
      'Introspection queries by POST, or GET where the endpoint asks for it, to 6 usual paths, to 13 more where one of them answers, and to endpoints that pages and scripts name.',
    proves:
      'The endpoint answers with its schema; an ordinary query is not answered with one. An attacker reads all operations. Shows a configuration; no data was read.',
    remedy:
      'Decide whether the schema is public. If not, switch introspection off in production: Apollo Server `new ApolloServer({ introspection: false })`, GraphQL Yoga `useDisableIntrospection()`, Spring `spring.graphql.schema.introspection.enabled=false`, Hot Chocolate `DisableIntrospection()`, graphql-java `NoIntrospectionGraphqlFieldVisibility`. Hints in errors ("Did you mean …?") give the same away, so mask them too. Rights have to be checked in each resolver in any case.',
    references: [
      'GraphQL specification, introspection: https://spec.graphql.org/October2021/#sec-Introspection',
      'OWASP GraphQL Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/GraphQL_Cheat_Sheet.html',
      'CWE-200: https://cwe.mitre.org/data/definitions/200.html',
    ],
  },
});

async function namedBy({ http }: CheckContext, script: string): Promise<string[]> {
  const { text } = await http.get(script);
  const { origin } = new URL(script);
  return [...new Set([...text.matchAll(named)].flatMap(([, path]) => (path ? origin + path : [])))];
}

const headers = [
  ['Content-Type', 'application/json'],
  ['Accept', 'application/json'],
] as const;

const ask = (method: Method, url: string, query: string): { http: HttpAction; expect: Assertion[] } => ({
  http: requestOf(method, url, query),
  expect: [
    claim('status', 'equals', '200'),
    claim('body', 'matches', introspected, 'The answer describes the schema.'),
  ],
});

/** References to values of the trial stay as they are. */
const requestOf = (method: Method, url: string, query: string): HttpAction =>
  method === 'POST'
    ? { method, url, headers, body: JSON.stringify({ query }) }
    : {
        url: `${url}?query=${query.replace(/[{} :]/g, encodeURIComponent)}`,
        headers: [['Accept', 'application/json']],
      };

async function look({ http }: CheckContext, url: string): Promise<Candidate<GraphqlEndpoint>[]> {
  const candidate = (method: Method, answer: string): Candidate<GraphqlEndpoint>[] => {
    if (firstMatch(introspected, answer) === undefined) return [];
    return [{ location: { url, method }, data: { method, schema: typeNames(answer) } }];
  };
  const posted = await http.send(requestOf('POST', url, schemaQuery));
  const found = posted.status === 200 ? candidate('POST', posted.text) : [];
  // What is no endpoint says so; one that wants another method, or the query elsewhere, complains of it.
  if (found.length > 0 || ![400, 405, 415, 422].includes(posted.status)) return found;
  const { status, text } = await http.send(requestOf('GET', url, schemaQuery));
  return status === 200 ? candidate('GET', text) : [];
}

/** A digest of the names in a schema, whatever their order. */
function typeNames(answer: string): string {
  const names = [...answer.matchAll(/"name"\s*:\s*"(\w{1,200})"/g)].map(([, name]) => name);
  return createHash('sha256').update(names.sort().join(' ')).digest('base64url');
}

/** Many servers answer at each path below their own: these are places of one weakness. */
function oneForEachSchema(candidates: readonly Candidate<GraphqlEndpoint>[]): Candidate<GraphqlEndpoint>[] {
  const leaders = new Map<string, string>();
  return candidates.map((candidate) => {
    const { location, data } = candidate;
    const schema = data?.schema ?? location.url;
    const route = leaders.get(schema) ?? normaliseRoute(location.url);
    leaders.set(schema, route);
    return { ...candidate, route };
  });
}
