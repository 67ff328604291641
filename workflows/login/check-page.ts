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

/** Source: RFC 9110 §15.6. */
const overloaded: readonly number[] = [502, 503, 504];

const isAnswer = ({ status }: PageAnswer): boolean => status < 500 && status !== 429;

/** "changed" when the page shows whose session it is, and no longer its marker. */
type MarkState = 'shown' | 'changed' | 'ended';

/**
 * Whether the session is still the identity's own. One on which the site fails has ended, where the page answers others.
 * @throws LoginError `site_down` when the page answers nobody, ProbeError
 */
export async function stateOf(
  http: HttpProbe,
  session: LoadedAs,
  { checkUrl, marker, others = [] }: LoginMark,
): Promise<MarkState> {
  for (let loads = 1; ; loads += 1) {
    const answer = await load(http, checkUrl, session);
    if (isAnswer(answer)) {
      const isShown = (text: string) => holds(text, [answer], []);
      return isShown(marker) ? 'shown' : others.some(isShown) ? 'changed' : 'ended';
    }
    if (loads < maxLoads) continue;
    if (!overloaded.includes(answer.status) && isAnswer(await load(http, checkUrl))) return 'ended';
    throw new LoginError('site_down', `${checkUrl}, which shows who is logged in, answered ${answer.status}`);
  }
}

/** @throws LoginError `site_down` when the page answers nobody, ProbeError */
export const isAlive = async (http: HttpProbe, session: LoadedAs, mark: LoginMark): Promise<boolean> =>
  (await stateOf(http, session, mark)) === 'shown';
