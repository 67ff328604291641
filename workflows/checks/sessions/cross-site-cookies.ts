import type { FactInput } from '../../model/fact.ts';
import type { CookieJar } from '../../model/http.ts';

/**
 * Cookies of a session that browsers send to the address from pages of other sites: those that are SameSite=None and Secure.
 * Without the attribute Chromium's take Lax, and partitioned ones are others under every site. Source: RFC 6265bis §5.6.7, CHIPS.
 */
export function crossSiteCookies(jar: CookieJar, url: string): { name: string; value: string }[] {
  const sent = jar.header(url).split('; ');
  return jar
    .all()
    .filter(({ name, value }) => sent.includes(`${name}=${value}`))
    .filter(({ sameSite, secure, partitioned }) => sameSite?.toLowerCase() === 'none' && secure && !partitioned);
}

/** Other sites cause requests in the name of who has these cookies. */
export const crossSiteSession = (url: string, cookies: readonly string[]): FactInput => ({
  kind: 'cross-site-session',
  subject: new URL(url).origin,
  attributes: { cookies: cookies.join(' ') },
});
