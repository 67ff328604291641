import type { Exchange } from '../../model/http.ts';
import type { PageChange } from './opened-page.ts';

/** Names of hosts that no public name server has. Sources: RFC 2606, RFC 6762 appendix G, RFC 9476. */
const insideName =
  /(?<![\w.@-])(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,4}(?:local|internal|intranet|lan|corp|home|private|localdomain|test|dev)(?![\w-]|\.[a-z])/gi;
const maxNamed = 2;

/**
 * A program that shows a page to internal hosts alone, by the host that it is asked for or that a proxy says it was: both are what the
 * client sends.
 * @param pages whose texts may name such a host
 */
export function hostChanges(url: string, pages: readonly Pick<Exchange, 'text'>[]): PageChange[] {
  const { hostname } = new URL(url);
  const named = pages.flatMap(({ text }) =>
    [...text.slice(0, 50_000).matchAll(insideName)].map(([name]) => name.toLowerCase()),
  );
  const inside = [...new Set(named)].filter((name) => name !== hostname).slice(0, maxNamed);
  const change = (header: string, host: string, what: string): PageChange => ({
    what,
    refused: { url },
    changed: { url, headers: [[header, host]] },
    twin: { url, headers: [[header, '‹nonce›.example']] },
  });
  return ['localhost', '127.0.0.1', ...inside].flatMap((host) => {
    const who = inside.includes(host) ? 'a name of a host that a page names' : 'the name of the server itself';
    const forwarded = change('X-Forwarded-Host', host, `${who} in X-Forwarded-Host`);
    return host === hostname ? [forwarded] : [change('Host', host, `${who} as its Host`), forwarded];
  });
}
