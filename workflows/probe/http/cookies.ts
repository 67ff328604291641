import { Cookie as ToughCookie, CookieJar as ToughJar } from 'tough-cookie';
import type { CookieJar } from '../../model/http.ts';

/** What browsers keep of one site, at the most: 180 cookies of 4,096 bytes. Beyond it lies a bomb of cookies. Source: RFC 6265bis §5.6, Chromium. */
const maxNames = 180;
const maxPairLength = 4_096;

/** A browser's cookie rules, except that malformed cookies are left out instead of failing. */
export function createJar(): CookieJar {
  // Targets may be under names such as shop.localhost, which are special but not suffixes.
  const jar = new ToughJar(undefined, { looseMode: true, rejectPublicSuffixes: true, allowSpecialUseDomain: true });
  const names = new Set<string>();
  let chosen = new Set<string>();
  return {
    header: (url) => jar.getCookieStringSync(url),
    store(url, setCookie) {
      for (const line of setCookie) {
        const [pair = ''] = line.split(';', 1);
        const name = pair.split('=', 1)[0] ?? '';
        if (pair.length > maxPairLength || (names.size >= maxNames && !names.has(name))) continue;
        if (chosen.has(name.trim()) && isGiven(line)) continue;
        names.add(name);
        jar.setCookieSync(line, url, { ignoreError: true });
      }
    },
    settle() {
      const words = liveCookies(jar).filter(({ value }) => choice.test(String(value ?? '')));
      chosen = new Set(words.map(({ key }) => String(key ?? '')));
    },
    all: () =>
      liveCookies(jar).map((cookie) => ({
        name: String(cookie.key ?? ''),
        value: String(cookie.value ?? ''),
        domain: String(cookie.domain ?? ''),
        path: String(cookie.path ?? '/'),
        secure: cookie.secure === true,
        httpOnly: cookie.httpOnly === true,
        hostOnly: cookie.hostOnly === true,
        partitioned: isPartitioned(cookie.extensions),
        ...(typeof cookie.sameSite === 'string' ? { sameSite: cookie.sameSite } : {}),
      })),
    set: (url, name, value) => void jar.setCookieSync(`${name}=${value}`, url, { ignoreError: true }),
  };
}

type Cookie = ReturnType<CookieJar['all']>[number];

/** Puts cookies as `all()` gives them into a jar. */
export function putCookies(jar: CookieJar, cookies: readonly Cookie[]): void {
  for (const cookie of cookies) {
    const { name, value, domain, path, secure, httpOnly, hostOnly, sameSite, partitioned } = cookie;
    const attributes = [
      `${name}=${value}`,
      `Path=${path}`,
      ...(hostOnly ? [] : [`Domain=${domain}`]),
      ...(secure ? ['Secure'] : []),
      ...(httpOnly ? ['HttpOnly'] : []),
      ...(sameSite ? [`SameSite=${sameSite}`] : []),
      ...(partitioned ? ['Partitioned'] : []),
    ];
    const host = domain.includes(':') ? `[${domain}]` : domain;
    jar.store(`${secure ? 'https' : 'http'}://${host}${path}`, [attributes.join('; ')]);
  }
}

/** Words that a person could have chosen: no number, which may count, and nothing random, which a session is known by. */
const choice = /^[a-z]{2,12}(?:[-_][a-z]{2,12})?$/i;

const liveCookies = (jar: ToughJar) => (jar.serializeSync()?.cookies ?? []).filter(isLive);

/** Whether a line gives a cookie a value, and does not take it away. */
export function isGiven(line: string): boolean {
  const cookie = ToughCookie.parse(line, { loose: true });
  return cookie !== undefined && cookie.value !== '' && isLive(cookie.toJSON());
}

/** A site deletes a cookie by one that has expired already, which the jar keeps until somebody asks for it. */
const isLive = (stored: unknown): boolean =>
  (ToughCookie.fromJSON(stored)?.expiryTime() ?? Number.POSITIVE_INFINITY) > Date.now();

/** Attributes that RFC 6265 does not know are kept as they were written. */
const isPartitioned = (extensions: unknown): boolean =>
  Array.isArray(extensions) && extensions.some((word) => /^\s*partitioned\s*$/i.test(String(word)));
