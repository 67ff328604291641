import type { Exchange, HttpProbe } from '../../model/http.ts';
import type { OriginSurface } from '../../model/surface.ts';

/** A home page leads to another at most a few times. */
const maxHops = 4;

/** Markup or script that takes a visitor to HTTPS without a redirect of HTTP. */
const leadsAway =
  /<meta\b[^<>]*http-equiv\s*=\s*["']?refresh\b[^<>]*https:|\blocation(?:\.href|\.protocol)?\s*=\s*["'`]https:|\blocation\.(?:replace|assign)\s*\(\s*["'`]https:/i;

/**
 * Follows the redirects of an http origin's home page as long as they stay on it.
 * @returns the page that is shown in the clear; undefined when visitors are sent elsewhere, or there is no page
 * @throws ProbeError
 */
export async function plainPage(http: HttpProbe, { origin }: OriginSurface): Promise<Exchange | undefined> {
  let url = `${origin}/`;
  for (let hop = 0; hop <= maxHops; hop++) {
    const exchange = await http.get(url, { fresh: true });
    const location = exchange.header('location');
    const next =
      location === undefined || exchange.status < 300 || exchange.status > 399 ? null : URL.parse(location, url);
    if (next === null) return isPage(exchange) ? exchange : undefined;
    if (next.origin !== origin) return undefined;
    url = next.href;
  }
  return undefined;
}

const isPage = ({ status, text }: Exchange): boolean =>
  status >= 200 && status < 300 && text.trim() !== '' && !leadsAway.test(text);
