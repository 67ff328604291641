import { createReader } from '../../kit/documents/read-aside.ts';
import type { Refused } from '../model/gate.ts';
import type { HeaderList } from '../model/http.ts';
import type { Identity } from '../model/identity.ts';
import { ProbeError } from '../model/probe-error.ts';
import type { SkipCode, Skipped } from '../model/skipped.ts';
import type { ExploredPage, FormSurface, OriginSurface, PageSurface, Surface } from '../model/surface.ts';
import { noteIdentity } from '../probe/gate/sessions.ts';
import { graphQlHeaders } from '../probe/graphql-address.ts';
import { resolve } from '../probe/html/links.ts';
import type { OpenProbes } from '../probe/open.ts';
import { type Scope, scopeOf } from '../probe/scope.ts';
import { crawl } from './crawl.ts';
import { addDocumented } from './documented.ts';
import type { Documented } from './documented-request.ts';
import { createEchoes } from './echoes.ts';
import { createExplorer, type Explorer } from './explorer.ts';
import { createFoundDocuments, guessedDocuments } from './found-documents.ts';
import { createFrontier } from './frontier.ts';
import { graphQlRequests } from './graphql-requests.ts';
import { type Lead, leadSource } from './lead.ts';
import { createTally, type Tally } from './left-out.ts';
import { markOpenLogins } from './open-logins.ts';
import { findOrigins, type SendRequest } from './origins.ts';
import { createCookieList } from './page-cookies.ts';
import { mayHaveMade } from './row-numbers.ts';
import { createScribe, type Scribe } from './scribe.ts';
import { unnamedHeaders } from './unnamed-headers.ts';
import { unnamedInputs } from './unnamed-inputs.ts';

export type SurveyRequest = {
  probes: Pick<OpenProbes, 'http' | 'browser' | 'gate'> & Partial<Pick<OpenProbes, 'tls'>>;
  /** URL that is audited. */
  url: string;
  /** Further URLs to start from. */
  startUrls: readonly string[];
  /** Path prefixes that are never requested. */
  excludedPaths: readonly string[];
  /** Requests that documents of the org describe; none when not given. */
  documented?: readonly Documented[];
  /** Whose session is attached; anonymous when not given. */
  identity?: Identity;
  /** What scripts send is observed later, so that more pages are used in the browser. False when not given. */
  observes?: boolean;
  /** A user of the same role was shown the site before. False when not given. */
  followsAlike?: boolean;
  /** What surveys of other visitors have explored in the browser; nothing when not given. */
  explored?: readonly ExploredPage[];
  /** Origins of the host as others found them, for a visitor whose session ends at their roots. */
  foundOrigins?: readonly OriginSurface[];
  /** Addresses that are not there for others like this visitor; none when not given. */
  missing?: readonly string[];
  /**
   * What this visitor was shown before: then only start URLs that are new, and what they lead to, are looked at. The site is looked at
   * from its root when not given.
   */
  known?: Surface;
  /** Forms of pages that this visitor was shown elsewhere; none when not given. */
  forms?: readonly FormSurface[];
  /** Pages to use in the browser again: what they ask for was kept from them before. None when not given. */
  again?: readonly string[];
  signal: AbortSignal;
};

/** In a thread: whatever a host describes keeps nothing else waiting. */
const readDocument = createReader();

/**
 * Looks at a host as a visitor would: follows links, reads forms and scripts, and uses the controls of pages in a browser. It submits
 * nothing but what the write gate lets pass.
 * A survey that ends early, because the budget does, is still a survey: what was left out is in `skipped`.
 * @returns what is new, where something is known
 * @throws ProbeError when no origin of the host answers, or `canceled`
 */
export async function survey(request: SurveyRequest): Promise<Surface> {
  const scope = scopeOf(request.url);
  const addresses = new Set<string>();
  const send = sendAs(request, addresses);
  const { known } = request;
  const origins = known?.origins ?? (await originsFor(request, send, scope));
  const tally = createTally();
  const refusalOf = refusals(request);
  const frontier = createFrontier(scope, request.excludedPaths, tally, refusalOf, request.identity === undefined);
  const explorer = createExplorer({
    ...{ browser: request.probes.browser, identity: request.identity, signal: request.signal, tally },
    depth: !request.observes ? 'standard' : known ? 'further' : request.followsAlike ? 'alike' : 'deep',
    explored: request.explored ?? [],
  });
  const found = createFoundDocuments(readDocument, { target: request.url, tally, pages: () => scribe.pages });
  /** With a session, what may make something is opened by the crawler alone until it was observed. */
  const add: Explorer['add'] = (page) => {
    if (request.identity && mayHaveMade(page.url, scribe.forms())) tally.addWord('would_act', page.url);
    else explorer.add(page);
  };
  const scribe = createScribe({
    ...{ scope, frontier, refusalOf, explorer: { add }, documents: found },
    gate: countingGate(request.probes.gate, tally),
    isFurther: known !== undefined,
  });
  const origin = origins[0]?.origin ?? '';
  for (const { url } of [...(known?.pages ?? []), ...(known?.skipped ?? [])]) frontier.know(url);
  for (const lead of seeds(request, scope, origin)) frontier.add(lead);
  for (const url of request.missing ?? []) frontier.know(url);
  addDocumented(request.documented ?? [], origin, frontier, scribe.inputs);
  scribe.readForms(request.forms ?? []);
  for (const url of request.again ?? []) explorer.add({ url, code: `again ${url}` });
  const failed: Skipped[] = [];
  const cookies = createCookieList(request.identity?.jar.all().map(({ name }) => name) ?? []);
  const echoes = createEchoes(send, () => [...(known?.pages ?? []), ...scribe.pages]);
  const crawling = { signal: request.signal, send, frontier, scribe, echoes, cookies, failed, tally };
  const crawlAll = async (): Promise<SkipCode> => {
    const end = await crawl(crawling);
    const described = await found.read(request.signal);
    addDocumented(described, origin, frontier, scribe.inputs);
    return described.length > 0 ? crawl(crawling) : end;
  };
  const readExplored: Scribe['readExplored'] = (explored, url) => {
    cookies.readExplored(url, explored);
    return scribe.readExplored(explored, url);
  };
  const crawlAndExplore = async (): Promise<SkipCode> => {
    let end = await crawlAll();
    const mayGoOn = () => explorer.addLeft(scribe.inputs.isNumbered);
    while ((await explorer.run(readExplored)) || mayGoOn()) end = await crawlAll();
    return end;
  };
  let end = await crawlAndExplore();
  const isDescribed = found.any() || Boolean(request.documented?.length);
  const guessed = isDescribed ? [] : guessedDocuments(origin, scribe.pages, known?.pages);
  for (const round of guessed) {
    if (found.any()) break;
    for (const url of round) frontier.add({ url, source: leadSource.usualPlace, isGuess: true });
    end = await crawlAndExplore();
  }
  if (!known) {
    const seen = { pages: scribe.pages, calls: scribe.calls.all() };
    const queries = await graphQlRequests(send, origin, seen, tally);
    addDocumented(queries, origin, frontier, scribe.inputs);
    if (queries.length > 0) end = await crawlAndExplore();
  }
  explorer.leave();
  if (!request.identity && !known) {
    const guess = { depth: request.observes ? 'deep' : 'standard', tally, known: scribe.inputs.all() } as const;
    const pages = scribe.pages.filter(({ url }) => frontier.indexPages.byFolder(url) === url);
    const unnamed = await unnamedInputs(send, pages, guess);
    if (request.observes) {
      const { isNumbered } = scribe.inputs;
      unnamed.push(...(await unnamedHeaders(send, pages, { tally, known: unnamed, isNumbered })));
    }
    for (const input of unnamed) scribe.inputs.add(input);
    await markOpenLogins(send, scribe.forms(), tally);
  }
  for (const input of cookies.inputs(scribe.pages, scribe.forms())) scribe.inputs.add(input);
  const left = frontier.left(end);
  const cut = [...new Set(scribe.cut)];
  const streams = new Set(scribe.pages.filter(isStream).map(({ url }) => url));
  const cutAs = (url: string): Skipped => (streams.has(url) ? liveAt(url) : cutPage(url));
  for (const url of cut) tally.add(cutAs(url).code, url);
  const counted = new Set(known?.skipped.map(({ url }) => url));
  const silent = scribe.calls.unread().filter((url) => !counted.has(url));
  for (const url of silent) tally.add('websocket', url);
  return {
    url: request.url,
    host: scope.host,
    addresses: [...addresses],
    origins,
    pages: scribe.pages,
    forms: scribe.forms(),
    inputs: scribe.inputs.all().filter(({ url }) => !echoes.covers(url)),
    calls: scribe.calls.all(),
    choices: scribe.choices.all(),
    explored: explorer.explored(),
    missing: scribe.missing,
    skipped: [...failed, ...cut.map(cutAs), ...silent.map(unreadAt), ...left],
    omitted: [...tally.omitted(), ...scribe.inputs.left(), ...scribe.calls.left(), ...scribe.choices.left()],
  };
}

async function originsFor({ url, probes, foundOrigins }: SurveyRequest, send: SendRequest, scope: Scope) {
  try {
    return await findOrigins(send, url, scope, probes.tls);
  } catch (error) {
    if (foundOrigins && error instanceof ProbeError && error.code === 'ends_session') return [...foundOrigins];
    throw error;
  }
}

/** What the scribe counts as refused stands in the survey's tally, each address once. */
function countingGate(gate: OpenProbes['gate'], tally: Tally): OpenProbes['gate'] {
  const counted = new Set<string>();
  return {
    ...gate,
    count(url, refused) {
      if (!counted.has(url)) tally.add(refused.code, url);
      counted.add(url);
    },
  };
}

/** What the gate says of asking for a URL as this visitor. */
function refusals({ probes: { gate }, identity }: SurveyRequest): (url: string) => Refused | undefined {
  if (identity) noteIdentity(gate, identity);
  return (url) => {
    const headers: HeaderList = identity ? [...identity.headers, ['Cookie', identity.jar.header(url)]] : [];
    const decision = gate.decide({ method: 'GET', url, headers });
    return decision.allowed ? undefined : decision;
  };
}

/** Messages, of which there is no last one. Source: HTML standard §9.2. */
const isStream = ({ contentType }: PageSurface): boolean => /^text\/event-stream\b/i.test(contentType);

const liveAt = (url: string): Skipped => ({ url, code: 'websocket', reason: 'messages come as long as it is open' });

const unreadAt = (url: string): Skipped => ({
  ...{ url, code: 'websocket' },
  reason: 'its page sends nothing over it by itself, or what is no text',
});

const cutPage = (url: string): Skipped => ({ url, code: 'page-cut', reason: 'only a part of the page could be read' });

/** Attaches the session: its cookies are kept up to date while crawling, as a browser would. */
function sendAs({ probes, identity }: SurveyRequest, addresses: Set<string>): SendRequest {
  const jar = identity?.jar ?? probes.http.newJar();
  return async (request) => {
    const exchange = await probes.http.send({
      ...request,
      jar,
      headers: [...(request.headers ?? []), ...(identity?.headers ?? []), ...graphQlHeaders(request.url)],
    });
    addresses.add(exchange.remoteAddress);
    return exchange;
  };
}

function seeds(request: SurveyRequest, scope: Scope, origin: string): Lead[] {
  const { pathname, search } = new URL(request.url);
  const wellKnown = ['/robots.txt', '/sitemap.xml'].map((path) => ({
    url: origin + path,
    source: leadSource.wellKnown,
  }));
  const given = request.startUrls.flatMap((url) => resolve(url, origin) ?? []);
  const started = given.filter(scope.coversUrl).map((url) => ({ url, source: leadSource.start }));
  if (request.known) return started;
  return [
    { url: origin + pathname + search, source: leadSource.target },
    { url: `${origin}/`, source: leadSource.target },
    ...started,
    ...wellKnown,
  ];
}
