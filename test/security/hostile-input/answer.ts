import type { Exchange } from '../../../workflows/model/http.ts';
import { makeExchange } from '../../../workflows/probe/http/exchange.ts';

export const pageUrl = 'http://shop.example/a/b';

/** An answer of the target with a hostile body or header. */
export function answer(
  body: string | Uint8Array,
  { type = 'text/html', url = pageUrl, headers = [] as [string, string][] } = {},
): Exchange {
  return makeExchange({
    request: { method: 'GET', url, headers: [], body: '' },
    status: 200,
    httpVersion: '1.1',
    headers: [['content-type', type], ...headers],
    body: Buffer.from(body),
    truncated: false,
    remoteAddress: '192.0.2.1',
    elapsedMs: 1,
    redirects: [],
  });
}
