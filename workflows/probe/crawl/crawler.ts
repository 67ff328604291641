import type { Identity, SkipCode, Surface } from '../../checks/contract.ts';
import { isLeftOut } from '../errors.ts';
import { noteIdentity } from '../gate/sessions.ts';
import type { Refused } from '../gate/types.ts';
import type { OpenProbes } from '../open.ts';
import { type Scope, scopeOf } from '../scope.ts';
import { type HeaderList, ProbeError } from '../types.ts';
import { addDocumented, type Documented } from './documented.ts';
import { createFrontier, type Frontier, type Lead } from './frontier.ts';
import { findOrigins, type SendRequest } from './origins.ts';
import { resolve } from './page.ts';
import { createScribe, type Scribe } from './scribe.ts';

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
  signal: AbortSignal;
};

/** Beyond this many pages the kinds of pages repeat; the shapes of the frontier bound most sites long before. */
const maxPages = 400;
/** Requests on their way at the same time; the connections are bounded elsewhere. */
const lanes = 5;
const timeoutMs = 8_000;
/** Pages are far smaller; what is larger is read as far as this. */
const maxBodyBytes = 1024 * 1024;
/** Pages that fail in a row before the site counts as gone. */
const maxFailures = 10;
/** A site with no more pages than this and with script is made by it: a browser shows what it links to. */
const fewPages = 3;

/**
 * Looks at a host as a visitor would: follows links, reads forms and scripts, and submits nothing, but for a word in the search of a
 * page that is made by script.
 * A survey that ends early, because the budget does, is still a survey: what was left out is in `skipped`.
 * @throws ProbeError when no origin of the host answers, or `canceled`
 */
export async function survey(request: SurveyRequest): Promise<Surface> {
  const scope = scopeOf(request.url);
  const addresses = new Set<string>();
  const send = sendAs(request, addresses);
  const origins = await findOrigins(send, request.url, scope, request.probes.tls);
  const refusalOf = refusals(request);
  const frontier = createFrontier(scope, request.excludedPaths, refusalOf);
  const scribe = createScribe(scope, frontier, request.probes.gate, refusalOf);
  const origin = origins[0]?.origin ?? '';
  for (const lead of seeds(request, scope, origin)) frontier.add(lead);
  addDocumented(request.documented ?? [], origin, frontier, scribe.inputs);
  const failed: Surface['skipped'] = [];
  await crawl({ request, send, frontier, scribe, failed });
  if (await lookInBrowser(request, scribe, frontier)) await crawl({ request, send, frontier, scribe, failed });
  const cut = scribe.cut.map((url) => ({
    url,
    code: 'page-cut' as const,
    reason: 'only a part of the page could be read',
  }));
  const left = scribe.inputs.left();
  const noRoom =
    left === 0
      ? []
      : [{ url: request.url, code: 'too-many' as const, reason: `too many inputs: ${left} were left out` }];
  return {
    url: request.url,
    host: scope.host,
    addresses: [...addresses],
    origins,
    pages: scribe.pages,
    forms: scribe.forms(),
    inputs: scribe.inputs.all(),
    skipped: [...failed, ...cut, ...noRoom, ...frontier.skipped()],
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

/** Attaches the session: its cookies are kept up to date while crawling, as a browser would. */
function sendAs({ probes, identity }: SurveyRequest, addresses: Set<string>): SendRequest {
  const jar = identity?.jar ?? probes.http.newJar();
  return async (request) => {
    const exchange = await probes.http.send({ ...request, jar, headers: identity?.headers ?? [] });
    addresses.add(exchange.remoteAddress);
    return exchange;
  };
}

function seeds(request: SurveyRequest, scope: Scope, origin: string): Lead[] {
  const { pathname, search } = new URL(request.url);
  const wellKnown = ['/robots.txt', '/sitemap.xml'].map((path) => ({ url: origin + path, source: 'well-known' }));
  const given = request.startUrls.flatMap((url) => resolve(url, origin) ?? []);
  return [
    { url: origin + pathname + search, source: 'target' },
    { url: `${origin}/`, source: 'target' },
    ...given.filter(scope.coversUrl).map((url) => ({ url, source: 'start URL' })),
    ...wellKnown,
  ];
}

type Crawl = {
  request: SurveyRequest;
  send: SendRequest;
  frontier: Frontier;
  scribe: Scribe;
  failed: Surface['skipped'];
};

async function crawl({ request, send, frontier, scribe, failed }: Crawl): Promise<void> {
  const onTheWay = new Set<Promise<void>>();
  let failuresInRow = 0;
  let over = false;

  const visit = async (lead: Lead) => {
    try {
      const exchange = await send({ url: lead.url, timeoutMs, maxBodyBytes });
      failuresInRow = 0;
      scribe.read(lead, exchange);
    } catch (error) {
      if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
      failed.push({ url: lead.url, code: skipCodeOf(error), reason: error.message });
      if (isLeftOut(error)) return;
      over ||= error.code === 'budget_exhausted' || ++failuresInRow >= maxFailures;
    }
  };

  while (!over) {
    request.signal.throwIfAborted();
    const lead = scribe.pages.length + onTheWay.size < maxPages ? frontier.next() : undefined;
    if (lead) {
      const visiting: Promise<void> = visit(lead).finally(() => onTheWay.delete(visiting));
      onTheWay.add(visiting);
    }
    if (onTheWay.size === 0) break;
    if (!lead || onTheWay.size >= lanes) await Promise.race(onTheWay);
  }
  await Promise.all(onTheWay);
}

const skipCodeOf = ({ code }: ProbeError): SkipCode =>
  code === 'budget_exhausted' ? 'budget' : code === 'refused' ? 'would-act' : 'failed';

/** @returns whether a page made by script showed anything to go on with */
async function lookInBrowser(request: SurveyRequest, scribe: Scribe, frontier: Frontier): Promise<boolean> {
  const { probes, identity } = request;
  const start = scribe.pages.find(({ source, scripts }) => source === 'target' && scripts.length > 0);
  const found = scribe.pages.filter(({ contentType, status }) => status === 200 && contentType.includes('html'));
  if (!start || found.length > fewPages || (await probes.browser.unavailable()) !== undefined) return false;
  try {
    const visit = await probes.browser.visit({
      url: start.url,
      searches: true,
      headers: identity?.headers ?? [],
      ...(identity ? { jar: identity.jar } : {}),
      ...(identity?.storage ? { storage: structuredClone(identity.storage) } : {}),
    });
    for (const { url, method } of visit.requests) if (method === 'GET') frontier.add({ url, source: 'browser' });
    scribe.readTraffic(visit);
    scribe.readRendered({ url: visit.finalUrl, source: 'browser' }, visit.html);
    return true;
  } catch (error) {
    if (error instanceof ProbeError && error.code !== 'canceled') return false;
    throw error;
  }
}
