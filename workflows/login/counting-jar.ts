import type { CookieJar } from '../model/http.ts';

/** A jar that counts how often its cookies were asked for: where they were not, nothing was sent with them. */
export function countingJar(jar: CookieJar): { jar: CookieJar; uses(): number } {
  let uses = 0;
  return {
    jar: {
      ...jar,
      header(url) {
        uses += 1;
        return jar.header(url);
      },
      all() {
        uses += 1;
        return jar.all();
      },
    },
    uses: () => uses,
  };
}
