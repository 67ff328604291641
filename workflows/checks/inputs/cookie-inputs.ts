import { percentDecodedOrSame } from '../../../kit/percent.ts';
import type { InputSurface, PageSurface, Surface } from '../../model/surface.ts';
import type { CheckContext } from '../contract.ts';
import { isSessionName } from '../sessions/session-cookie.ts';
import { isDeletion, parseSetCookie } from '../sessions/set-cookie.ts';
import { serializedForm } from './serialized-text.ts';

/** Browsers, and our own jar, keep no longer ones. Source: RFC 6265bis §5.7. */
const maxLength = 4_096;

type CookieGivers = { pages: readonly Pick<PageSurface, 'url' | 'setCookies'>[] };

/**
 * Cookies that a server has given to anybody, as inputs of the page that set them: preferences, filters, numbers of visitors. Sessions
 * and
 * tokens are looked up as a whole, or verified.
 */
export function cookieInputs(
  { pages, origins = [], heldCookies = [] }: CookieGivers & Partial<Pick<Surface, 'origins' | 'heldCookies'>>,
  now = new Date(),
): InputSurface[] {
  // Many are given once: with the first answer of all, before a page is read.
  const firstAnswers = origins.map(({ origin, headers }) => ({
    url: `${origin}/`,
    setCookies: headers.flatMap(([name, value]) => (name.toLowerCase() === 'set-cookie' ? [value] : [])),
  }));
  const found = new Map<string, InputSurface>();
  for (const { url, setCookies } of [...pages, ...firstAnswers]) {
    for (const line of setCookies) {
      const cookie = parseSetCookie(line);
      // What is taken away ("deleted", with a date in the past) is no input: sent back, it may be stored.
      if (cookie === undefined || isDeletion(cookie, now)) continue;
      const { name, value } = cookie;
      const sample = percentDecodedOrSame(value.replace(/^"(.*)"$/s, '$1'));
      if (
        heldCookies.includes(name) ||
        isVerified(name, sample) ||
        sample === '' ||
        sample.length > maxLength ||
        found.has(name)
      )
        continue;
      // What it is used for is the same on every page.
      const input = { method: 'GET', url, route: '/{any}', parameter: name, in: 'cookie' as const, sample, others: [] };
      found.set(name, input);
    }
  }
  return [...found.values()];
}

/** Looked up as a whole, or signed. What is called a session and is an object itself is read by the server. */
const isVerified = (name: string, sample: string): boolean =>
  /csrf|xsrf|token|verification/i.test(name) || (isSessionName(name) && serializedForm(sample) === undefined);

/** Objects that a login keeps in cookies, as inputs of the page that shows that the login works. */
export function keptObjects({ visitor, identities }: Pick<CheckContext, 'visitor' | 'identities'>): InputSurface[] {
  const identity = visitor === undefined ? undefined : identities[visitor];
  const cookies = identity?.jar.all() ?? [];
  return cookies.flatMap(({ name, value }) => {
    const sample = percentDecodedOrSame(value);
    if (!identity || serializedForm(sample) === undefined) return [];
    const place = { method: 'GET', url: identity.checkUrl, route: '/{any}', parameter: name, in: 'cookie' as const };
    return [{ ...place, sample, others: [] }];
  });
}
