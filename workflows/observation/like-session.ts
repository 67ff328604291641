import { percentDecodedOrSame } from '../../kit/percent.ts';
import type { CookieJar, HttpProbe } from '../model/http.ts';
import { putCookies } from '../probe/http/cookies.ts';

type SessionCookie = ReturnType<CookieJar['all']>[number];

/** Another jar with the cookies of a session: what a site gives to one of them the other does not have. */
export function likeSession(http: Pick<HttpProbe, 'newJar'>, jar: CookieJar): CookieJar {
  const other = http.newJar();
  putCookies(other, jar.all());
  return other;
}

/** Takes over what a session is known by: a site may give it another number on the way. What a visitor chose is nothing of the kind. */
export function takeRenewed(jar: CookieJar, like: CookieJar): void {
  const known = new Set(jar.all().map(keyOf));
  const renewed = like.all().filter((cookie) => known.has(keyOf(cookie)) && isOpaque(cookie.value));
  putCookies(jar, renewed);
}

/** As numbers of sessions and tokens are: long, in one piece, with a digit. */
const isOpaque = (value: string): boolean => /^(?=.*\d)[\w.:~+/=|-]{16,}$/.test(percentDecodedOrSame(value));

const keyOf = ({ name, domain, path }: SessionCookie): string => JSON.stringify([name, domain, path]);
