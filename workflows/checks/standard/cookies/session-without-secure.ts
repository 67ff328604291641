import type { Exchange } from '../../../probe/types.ts';
import { claim } from '../../../proof/experiment.ts';
import { escapePattern } from '../../../proof/pattern.ts';
import { type Candidate, type CheckContext, defineCheck, notApplicable, type Surface } from '../../contract.ts';
import { isSession, type SessionSignal, signalsOf } from '../../support/session-cookie.ts';
import { isDeletion, isRefusedWithoutSecure, parseSetCookie, type SetCookie } from '../../support/set-cookie.ts';

type Found = { url: string; name: string };

/** A session cookie set over HTTPS lacks the Secure attribute. Source: RFC 6265 §4.1.2.5, §8.3. */
export const sessionWithoutSecure = defineCheck<Found>({
  id: 'cookies.session-without-secure',
  title: 'A session cookie is also sent over unencrypted connections',
  cwe: 614,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:H/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const answers = secureAnswers(context.surface);
    if (answers.length === 0) return notApplicable('No page was seen over HTTPS.');
    const firstOf = new Map<string, { url: string; cookie: SetCookie }>();
    for (const { url, setCookies } of answers) {
      for (const cookie of setCookies.map(parseSetCookie)) {
        if (cookie && isExposed(cookie, context.now()) && !firstOf.has(cookie.name))
          firstOf.set(cookie.name, { url, cookie });
      }
    }
    const candidates: Candidate<Found>[] = [];
    for (const { url, cookie } of firstOf.values()) {
      const signals = await allSignals(context, url, cookie);
      if (signals && isSession(signals)) candidates.push(candidateFor(url, cookie.name, signals));
    }
    return candidates;
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const withoutSecure = (name: string) => [
      claim(
        `cookie:${name}`,
        'matches',
        `^\\s*${escapePattern(name)}\\s*=\\s*[^;\\s]`,
        'The cookie is set with a value.',
      ),
      claim(`cookie:${name}`, 'not-matches', '(?i);\\s*secure\\s*(?:;|=|$)', 'Its attributes do not include Secure.'),
    ];
    return {
      steps: [
        {
          http: { url: data.url },
          note: 'An answer over HTTPS sets the session cookie without Secure.',
          expect: withoutSecure(data.name),
        },
      ],
      control: [
        {
          http: { url: data.url },
          note: 'The same is not seen of a cookie that the site does not set.',
          expect: withoutSecure('‹nonce›'),
        },
      ],
    };
  },

  explain: {
    description:
      'The site sets a session cookie over HTTPS without the Secure attribute. Browsers therefore send it with every request to the same host, unencrypted ones included.',
    impact:
      'One http request suffices, an image on another page or a mistyped address will do, and somebody who listens on the way has the session: they act as the visitor until it ends.',
    remedy:
      'Set Secure (with HttpOnly and SameSite) on every session cookie, best with the __Host- prefix, which browsers accept only with Secure: `Set-Cookie: __Host-session=…; Path=/; Secure; HttpOnly; SameSite=Lax`. PHP: `session.cookie_secure = 1`. Express: `cookie: { secure: true }` and `app.set("trust proxy", 1)` behind a proxy. Django: `SESSION_COOKIE_SECURE = True`. ASP.NET Core: `options.Cookie.SecurePolicy = CookieSecurePolicy.Always`.',
    references: [
      'RFC 6265 §8.3: https://www.rfc-editor.org/rfc/rfc6265#section-8.3',
      'CWE-614: https://cwe.mitre.org/data/definitions/614.html',
      'WSTG-SESS-02: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/06-Session_Management_Testing/02-Testing_for_Cookies_Attributes',
    ],
  },
});

/** The first look at an origin counts too: whoever has a session already is not given another one. */
function secureAnswers({ origins, pages }: Surface): { url: string; setCookies: string[] }[] {
  const first = origins.map(({ origin, headers }) => ({
    url: `${origin}/`,
    setCookies: headers.filter(([name]) => name.toLowerCase() === 'set-cookie').map(([, value]) => value),
  }));
  return [...first, ...pages].filter(({ url }) => url.startsWith('https:'));
}

const isExposed = (cookie: SetCookie, now: Date): boolean =>
  !cookie.secure && !isDeletion(cookie, now) && !isRefusedWithoutSecure(cookie) && signalsOf(cookie) !== undefined;

const candidateFor = (url: string, name: string, signals: ReadonlySet<SessionSignal>): Candidate<Found> => ({
  location: { url, parameter: name, parameterIn: 'cookie' },
  // A cookie belongs to the site, not to the page that happened to set it.
  route: '/',
  detail: `The cookie "${name}" holds a session, as can be told from: ${[...signals].join(', ')}.`,
  data: { url, name },
});

/** Beside the line itself: is the value new for each visitor, and does the server tell its own from an invented one? */
async function allSignals(
  { http }: CheckContext,
  url: string,
  cookie: SetCookie,
): Promise<Set<SessionSignal> | undefined> {
  const signals = signalsOf(cookie);
  if (!signals || isSession(signals)) return signals;
  const issued = cookieIn(await http.get(url, { fresh: true }), cookie.name);
  if (issued === undefined) return signals;
  if (issued !== cookie.value) signals.add('new for each visitor');
  const back = await http.get(url, { fresh: true, headers: [['Cookie', `${cookie.name}=${issued}`]] });
  const invented = await http.get(url, { fresh: true, headers: [['Cookie', `${cookie.name}=${scrambled(issued)}`]] });
  const keepsItsOwn = [undefined, issued].includes(cookieIn(back, cookie.name));
  const replacesInvented = ![undefined, issued, scrambled(issued)].includes(cookieIn(invented, cookie.name));
  if (keepsItsOwn && replacesInvented) signals.add('known to the server');
  return signals;
}

function cookieIn(exchange: Exchange, name: string): string | undefined {
  return exchange
    .headerValues('set-cookie')
    .map(parseSetCookie)
    .findLast((cookie) => cookie?.name === name)?.value;
}

/** Another value of the same shape. */
const scrambled = (value: string): string =>
  value.replace(/[a-z0-9]/gi, (char) =>
    /\d/.test(char) ? String((Number(char) + 1) % 10) : char.toLowerCase() === 'a' ? 'b' : 'a',
  );
