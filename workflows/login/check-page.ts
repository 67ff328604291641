import type { CookieJar, HeaderList, HttpProbe } from '../model/http.ts';
import { LoginError } from '../model/login-error.ts';
import type { LoginMark } from '../model/proven-login.ts';
import { graphQlHeaders } from '../probe/graphql-address.ts';
import { holds, type PageAnswer } from './marker.ts';

type LoadedAs = { jar: CookieJar; headers: HeaderList };

/** The page as this session, or an anonymous visitor, is shown it. @throws ProbeError */
export async function load(http: HttpProbe, url: string, session?: LoadedAs): Promise<PageAnswer> {
  const as = session ? { jar: session.jar } : { fresh: true };
  const headers = [...(session?.headers ?? []), ...graphQlHeaders(url)];
  const { status, text } = await http.get(url, { maxRedirects: 3, headers, ...as });
  return { status, text };
}

/** An overloaded site says nothing about a session: it is asked again this often. */
const maxLoads = 3;

/**
 * Whether the session is still the identity's own.
 * @throws LoginError `site_down` when the page answers nobody, ProbeError
 */
export async function isAlive(http: HttpProbe, session: LoadedAs, { checkUrl, marker }: LoginMark): Promise<boolean> {
  for (let loads = 1; ; loads += 1) {
    const answer = await load(http, checkUrl, session);
    if (answer.status < 500 && answer.status !== 429) return holds(marker, [answer], []);
    if (loads === maxLoads)
      throw new LoginError('site_down', `${checkUrl}, which shows who is logged in, answered ${answer.status}`);
  }
}
