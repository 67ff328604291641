import type { Exchange, HttpRequest } from '../model/http.ts';
import { ProbeError } from '../model/probe-error.ts';
import type { OriginSurface } from '../model/surface.ts';
import type { TlsProbe } from '../model/tls.ts';
import { resolve } from '../probe/html/links.ts';
import { locationOf } from '../probe/http/exchange.ts';
import type { Scope } from '../probe/scope.ts';

export type SendRequest = (request: HttpRequest) => Promise<Exchange>;

/** A port that does not answer is most often filtered: waiting longer shows nothing more. */
const timeoutMs = 8_000;

/**
 * Asks each scheme and port of the host for "/": the URL's own first, HTTPS before HTTP otherwise.
 * @throws ProbeError when none answers: why the first did not
 */
export async function findOrigins(
  send: SendRequest,
  target: string,
  scope: Scope,
  tls?: Pick<TlsProbe, 'presented'>,
): Promise<OriginSurface[]> {
  const given = originsOf(target, scope);
  const answers = await Promise.allSettled(given.map((origin) => askOrigin(send, origin)));
  const origins = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  if (origins.length > 0) return origins;
  const secure = given.find((origin) => origin.startsWith('https:'));
  const mute = secure && tls && answers.some(isTlsFailure) ? await withoutPages(secure, tls) : undefined;
  if (mute) return [mute];
  const [first] = answers;
  throw first?.status === 'rejected' ? first.reason : new ProbeError('unreachable', `${scope.host} does not answer`);
}

/** A server of TLS 1.3 that wants a certificate of the client's hangs up after the handshake. */
const isTlsFailure = (answer: PromiseSettledResult<OriginSurface>): boolean =>
  answer.status === 'rejected' &&
  answer.reason instanceof ProbeError &&
  ['tls_failed', 'unreachable'].includes(answer.reason.code);

/** A server that speaks TLS, though none in which it could be asked for a page here, is there to be looked at for that. */
async function withoutPages(origin: string, tls: Pick<TlsProbe, 'presented'>): Promise<OriginSurface | undefined> {
  const { hostname: host, port: written } = new URL(origin);
  const port = written === '' ? 443 : Number(written);
  try {
    await tls.presented({ host, port });
    return { origin, scheme: 'https', host, port, status: 0, headers: [] };
  } catch (error) {
    if (error instanceof ProbeError && error.code !== 'canceled') return undefined;
    throw error;
  }
}

function originsOf(target: string, scope: Scope): string[] {
  const url = new URL(target);
  if (url.port !== '') return [url.origin];
  return [`https://${url.hostname}`, `http://${url.hostname}`].filter((origin) => scope.coversUrl(origin));
}

async function askOrigin(send: SendRequest, origin: string): Promise<OriginSurface> {
  const exchange = await send({ url: `${origin}/`, timeoutMs, anyAnswer: true });
  const url = new URL(origin);
  const location = resolve(locationOf(exchange), `${origin}/`);
  const scheme = url.protocol === 'https:' ? 'https' : 'http';
  return {
    origin,
    scheme,
    host: url.hostname,
    port: url.port === '' ? { https: 443, http: 80 }[scheme] : Number(url.port),
    status: exchange.status,
    headers: exchange.headers.map(([name, value]): [string, string] => [name, value]),
    ...(location === undefined || exchange.status < 300 || exchange.status > 399 ? {} : { redirectsTo: location }),
  };
}
