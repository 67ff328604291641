import { ProbeError } from '../model/probe-error.ts';
import type { CallSurface, PageSurface } from '../model/surface.ts';
import { isLeftOut, unlessLeftOut } from '../probe/errors.ts';
import { asksGraphQl } from '../probe/graphql-address.ts';
import type { Documented } from './documented-request.ts';
import { introspection, queriesOf } from './graphql-queries.ts';
import { schemaOfTypes, typesByName } from './graphql-types.ts';
import type { Tally } from './left-out.ts';
import type { SendRequest } from './origins.ts';

/** Where servers answer GraphQL by default. */
const usualPaths = ['/graphql', '/api/graphql'];
/** How servers of GraphQL call their one address. */
export const graphQlPath = /(?:graphql|gql)[\w-]*\/?$/i;
const maxEndpoints = 4;
const timeoutMs = 8_000;

type SeenBySurvey = { pages: readonly PageSurface[]; calls: readonly CallSurface[] };

/**
 * What GraphQL servers of a site describe of themselves: each of their queries as a request, whether a page uses it or not.
 * @param origin that answered
 */
export async function graphQlRequests(
  send: SendRequest,
  origin: string,
  { pages, calls }: SeenBySurvey,
  tally: Tally,
): Promise<Documented[]> {
  const named = [...calls, ...pages.filter(({ status }) => status !== 404)].filter(({ url }) =>
    graphQlPath.test(new URL(url).pathname),
  );
  const urls = [...calls.filter(asksGraphQl), ...named].map(({ url }) => url.replace(/[?#].*$/s, ''));
  // Where only pages are, there is hardly one.
  const answersData = pages.some(({ contentType }) => /\bjson\b/.test(contentType));
  const usual = answersData ? usualPaths.map((path) => origin + path) : [];
  const all = [...new Set([...urls, ...(await withoutQuery(send, pages, tally)), ...usual])];
  const endpoints = all.slice(0, maxEndpoints);
  if (all.length > maxEndpoints) tally.addWord('guessed', all.at(-1) ?? '', all.length - maxEndpoints);
  const described: Documented[] = [];
  for (const url of endpoints) {
    if (described.length > 0) break;
    const found = await schemaAt(send, url, tally);
    if (!found) continue;
    if (found.left > 0) tally.addWord('too_many', url, found.left);
    if (found.alike > 0) tally.addWord('alike', url, found.alike);
    if (found.writes > 0) tally.addWord('would_write', url, found.writes);
    for (const { kind, name, body } of found.bodies)
      described.push({
        ...{ method: 'POST', url, contentType: 'application/json', body, parameters: [] },
        title: `GraphQL ${kind} ${name}`,
      });
  }
  return described;
}

const maxRefusing = 3;
/** How servers of GraphQL refuse who asks for nothing, which they answer with 400. Source: GraphQL over HTTP, "Status Codes". */
const queryMissing = /"errors"\s*:.{0,200}"message"\s*:\s*"[^"]{0,100}\b(?:graphql|query)\b/is;

/** Pages that say that they lack a query, whatever they are called: nothing is posted to others, which may keep it. */
async function withoutQuery(send: SendRequest, pages: readonly PageSurface[], tally: Tally): Promise<string[]> {
  const refusing = pages.filter(
    ({ url, status, contentType }) => status === 400 && /\bjson\b/.test(contentType) && !url.includes('?'),
  );
  const left = refusing.slice(maxRefusing);
  if (left[0]) tally.addWord('guessed', left[0].url, left.length);
  const found: string[] = [];
  for (const { url } of refusing.slice(0, maxRefusing)) {
    const answer = await unlessLeftOut(() => send({ method: 'GET', url, timeoutMs }));
    if (answer?.status === 400 && queryMissing.test(answer.text)) found.push(url);
  }
  return found;
}

/** That costs this place alone: the rest of the site is surveyed with the session that follows. */
const endsSession = (error: unknown): boolean => error instanceof ProbeError && error.code === 'ends_session';

async function schemaAt(send: SendRequest, url: string, tally: Tally): ReturnType<typeof answeredBy> {
  try {
    return await answeredBy(send, url);
  } catch (error) {
    if (error instanceof ProbeError && error.code === 'too_large') tally.add('page-cut', url);
    else if (!isLeftOut(error) && !endsSession(error)) throw error;
    return undefined;
  }
}

async function answeredBy(send: SendRequest, url: string) {
  const ask = (body: string) =>
    send({ ...{ method: 'POST', url, body, timeoutMs }, headers: [['Content-Type', 'application/json']] });
  const { status, text } = await ask(introspection);
  if (status >= 500) return undefined;
  const whole = queriesOf(text);
  if (whole || status === 404 || !/"errors"\s*:/.test(text)) return whole;
  const schema = schemaOfTypes((await ask(typesByName)).text);
  return schema === undefined ? undefined : queriesOf(schema);
}
