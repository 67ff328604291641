import { CookieJar as ToughJar } from 'tough-cookie';
import type { CookieJar } from '../types.ts';

/** A browser's cookie rules, except that malformed cookies are left out instead of failing. */
export function createJar(): CookieJar {
  // Targets may be under names such as shop.localhost, which are special but not suffixes.
  const jar = new ToughJar(undefined, { looseMode: true, rejectPublicSuffixes: true, allowSpecialUseDomain: true });
  return {
    header: (url) => jar.getCookieStringSync(url),
    store(url, setCookie) {
      for (const line of setCookie) jar.setCookieSync(line, url, { ignoreError: true });
    },
    all: () =>
      (jar.serializeSync()?.cookies ?? []).map((cookie) => ({
        name: String(cookie.key ?? ''),
        value: String(cookie.value ?? ''),
        domain: String(cookie.domain ?? ''),
        path: String(cookie.path ?? '/'),
        secure: cookie.secure === true,
        httpOnly: cookie.httpOnly === true,
        hostOnly: cookie.hostOnly === true,
        ...(typeof cookie.sameSite === 'string' ? { sameSite: cookie.sameSite } : {}),
      })),
    set: (url, name, value) => void jar.setCookieSync(`${name}=${value}`, url, { ignoreError: true }),
  };
}
