import { demoHost } from './identities.ts';
import type { App } from './visit.ts';
import type { Weaknesses } from './weaknesses.ts';

/** Shows customers of both their orders here. */
const partner = 'https://nordvik-weavers.example';
const accountApi = /^\/api\/(?:me|token|orders|invoices)(?:[/?]|$)/;

/** Which other sites may read answers of the API in the browser of a visitor: the partner's, were it not for the mistakes. */
export function crossOriginRules(app: App, weaknesses: Weaknesses): void {
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    if (origin === undefined || !request.url.startsWith('/api/')) return;
    if (!isTrusted(weaknesses, request.url, origin)) return;
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
      ...(request.method === 'OPTIONS' && { 'access-control-allow-methods': 'GET, PUT' }),
    });
    if (request.method === 'OPTIONS') return reply.code(204).send();
  });
}

function isTrusted(weaknesses: Weaknesses, url: string, origin: string): boolean {
  if (accountApi.test(url)) return origin === partner || weaknesses.anyOriginReadsAccount;
  if (origin === 'null') return weaknesses.nullOriginTrusted;
  const hostname = URL.parse(origin)?.hostname ?? '';
  return weaknesses.suffixOriginTrusted && hostname.endsWith(demoHost);
}
