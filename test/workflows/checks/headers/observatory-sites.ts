import { createLogger } from '../../../../kit/logger.ts';
import { makeNonce } from '../../../../workflows/activities/audit-context.ts';
import type { Check, CheckContext } from '../../../../workflows/checks/contract.ts';
import { shippedLibraryData } from '../../../../workflows/checks/library-data.ts';
import type { Exchange, HttpRequest } from '../../../../workflows/model/http.ts';
import { ProbeError } from '../../../../workflows/model/probe-error.ts';
import type { TlsProbe } from '../../../../workflows/model/tls.ts';
import { parseAllowRules } from '../../../../workflows/probe/guard/allow.ts';
import { makeExchange } from '../../../../workflows/probe/http/exchange.ts';
import { openProbes } from '../../../../workflows/probe/open.ts';
import { createTrust } from '../../../../workflows/probe/tls/trust.ts';
import { prove } from '../../../../workflows/proof/prove.ts';
import { survey } from '../../../../workflows/survey/crawler.ts';

type Place = { host: string; httpPort: number; httpsPort: number; dnsServer: string; authority: string };

/**
 * What our checks say of a host whose ports 80 and 443 are forwarded to others, as by a router in front of it.
 * @returns ids of the checks that find something
 */
export async function foundOn(place: Place, checks: readonly Check[]): Promise<string[]> {
  const { host, httpPort, httpsPort } = place;
  const signal = new AbortController().signal;
  const opened = {
    'http:': open(`http://${host}:${httpPort}/`, place, signal),
    'https:': open(`https://${host}:${httpsPort}/`, place, signal),
  };
  try {
    const url = `https://${host}/`;
    const send = async (request: HttpRequest) => {
      const scheme = request.url.startsWith('https:') ? 'https:' : 'http:';
      return toPublic(await opened[scheme].http.send(toReal(request, place)), place);
    };
    const { http: secure, tls: handshakes, dns, smtp, quiet } = opened['https:'];
    const http = { ...secure, send, get: (to: string, options = {}) => send({ ...options, url: to }) };
    const tls: TlsProbe = {
      handshake: (request) => handshakes.handshake({ ...request, port: httpsPort }),
      presented: (server) => handshakes.presented({ ...server, port: httpsPort }),
      hello: (request) => handshakes.hello({ ...request, port: httpsPort }),
      look: (server) => handshakes.look({ ...server, port: httpsPort }),
    };
    const { gate } = opened['https:'];
    const surface = await survey({
      probes: { http, browser: away, gate },
      url,
      startUrls: [],
      excludedPaths: [],
      signal,
    });
    const context: CheckContext = {
      ...{ runId: 'test', surface, surfaces: {}, identities: {}, http, tls, dns, smtp, browser, quiet },
      ...{
        libraryData: shippedLibraryData,
        as: unused,
        logIn: unused,
        nonce: makeNonce,
        allowance: () => 2_000,
        writes: 'reversible',
        leave: () => {},
        now: () => new Date(),
        signal,
      },
    };
    const found = await Promise.all(checks.map(async (check) => ((await finds(context, check)) ? [check.id] : [])));
    return found.flat();
  } finally {
    await Promise.all(Object.values(opened).map((probes) => probes.close()));
  }
}

function open(target: string, { host, dnsServer, authority }: Place, signal: AbortSignal) {
  return openProbes({
    runId: '0193b2a0-0000-7000-8000-000000000003',
    target,
    share: { maxRequests: 2_000, maxConnections: 5, requestsPerSecond: 1_000, deadlineMs: Date.now() + 120_000 },
    guard: { allow: parseAllowRules([`${host}=127.0.0.0/8`]), dnsServer },
    signal,
    logger: createLogger('test', 'silent'),
    trust: createTrust(authority),
  });
}

const unused = () => Promise.reject(new Error('nobody logs in here'));

/** Candidates that need a browser are taken at their word: the tests of their checks open it. */
const browser: CheckContext['browser'] = {
  unavailable: async () => undefined,
  visit: () => Promise.reject(new ProbeError('unavailable', 'no browser is opened here')),
  explore: () => Promise.reject(new ProbeError('unavailable', 'no browser is opened here')),
  signIn: () => Promise.reject(new ProbeError('unavailable', 'no browser is opened here')),
};

const away: CheckContext['browser'] = { ...browser, unavailable: async () => 'none is needed' };

async function finds(context: CheckContext, check: Check): Promise<boolean> {
  const candidates = await check.detect(context);
  if (!Array.isArray(candidates)) return false;
  for (const candidate of candidates) {
    const experiment = await check.confirm(context, candidate);
    if (!experiment) continue;
    if (experiment.steps.some((step) => 'browser' in step)) return true;
    if ((await prove(experiment, context)).proven) return true;
  }
  return false;
}

function toReal(request: HttpRequest, { httpPort, httpsPort }: Place): HttpRequest {
  const url = new URL(request.url);
  if (url.port === '') url.port = String(url.protocol === 'https:' ? httpsPort : httpPort);
  return { ...request, url: url.href };
}

function toPublic(exchange: Exchange, place: Place): Exchange {
  const clean = (text: string) => text.replace(`:${place.httpPort}/`, '/').replace(`:${place.httpsPort}/`, '/');
  return makeExchange({
    ...exchange,
    request: { ...exchange.request, url: clean(exchange.request.url) },
    headers: exchange.headers.map(([name, value]) => [name, /^location$/i.test(name) ? clean(value) : value] as const),
    redirects: exchange.redirects.map((each) => toPublic(each, place)),
  });
}
