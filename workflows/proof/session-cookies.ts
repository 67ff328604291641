import type { CookieJar, HeaderList } from '../probe/types.ts';

/** Puts the cookies of Cookie headers into a jar, for the whole host of the URL: what a browser has before it logs in. */
export function plantCookies(jar: CookieJar, url: string, headers: HeaderList): void {
  const root = new URL('/', url).href;
  const lines = headers.filter(([name]) => name.toLowerCase() === 'cookie').map(([, value]) => value);
  for (const pair of lines.flatMap((line) => line.split(';'))) {
    const at = pair.indexOf('=');
    if (at > 0) jar.set(root, pair.slice(0, at).trim(), pair.slice(at + 1).trim());
  }
}
