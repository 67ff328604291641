import type { CookieJar, HeaderList } from '../model/http.ts';
import type { LoginRecipe } from '../model/login-recipe.ts';

/** What a session sends, by name. */
export function sendsOf({ jar, headers }: { jar: CookieJar; headers: HeaderList }): LoginRecipe['sends'] {
  return {
    headers: headers.map(([name, value]) => ({ name, prefix: /^[A-Za-z]+ (?=\S)/.exec(value)?.[0] ?? '' })),
    cookies: [...new Set(jar.all().map(({ name }) => name))],
  };
}
