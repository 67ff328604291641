import type { OriginSurface } from '../../checks/contract.ts';
import type { Scope } from '../scope.ts';
import { type Exchange, type HttpRequest, ProbeError } from '../types.ts';
import { resolve } from './page.ts';

export type SendRequest = (request: HttpRequest) => Promise<Exchange>;

/** A port that does not answer is most often filtered: waiting longer shows nothing more. */
const timeoutMs = 8_000;

/**
 * Asks each scheme and port of the host for "/": the URL's own first, HTTPS before HTTP otherwise.
 * @throws ProbeError when none answers: why the first did not
 */
export async function findOrigins(send: SendRequest, target: string, scope: Scope): Promise<OriginSurface[]> {
  const answers = await Promise.allSettled(originsOf(target, scope).map((origin) => askOrigin(send, origin)));
  const origins = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  if (origins.length > 0) return origins;
  const [first] = answers;
  throw first?.status === 'rejected' ? first.reason : new ProbeError('unreachable', `${scope.host} does not answer`);
}

function originsOf(target: string, scope: Scope): string[] {
  const url = new URL(target);
  if (url.port !== '') return [url.origin];
  return [`https://${url.hostname}`, `http://${url.hostname}`].filter((origin) => scope.coversUrl(origin));
}

async function askOrigin(send: SendRequest, origin: string): Promise<OriginSurface> {
  const exchange = await send({ url: `${origin}/`, timeoutMs });
  const url = new URL(origin);
  const location = resolve(exchange.header('location'), `${origin}/`);
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
