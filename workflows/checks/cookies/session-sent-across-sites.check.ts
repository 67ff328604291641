import { type CaptureRule, claim, type Experiment } from '../../model/experiment.ts';
import type { OwnSession } from '../../model/identity.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { type CheckContext, defineCheck, notRun } from '../contract.ts';
import { sample } from '../inputs/at-most.ts';
import { corsPlaces } from '../sessions/cors.ts';
import { crossSiteCookies, crossSiteSession } from '../sessions/cross-site-cookies.ts';
import { foreignOrigin, sendsStep } from '../sessions/foreign-page.ts';
import { cookieHeader, type LoginIdentity, withOwnSession } from '../sessions/own-sessions.ts';
import { type OwnText, ownTextAt } from '../sessions/own-texts.ts';

type CrossSiteSession = { user: string; url: string; names: string[]; own: OwnText };
type CrossSiteCookie = { name: string; value: string };

/** Pages and APIs that are tried with the cookies. */
const maxPlaces = 8;

/** Other sites' pages cause requests in the name of a logged-in user. Source: RFC 6265bis §8.8, CWE-1275. */
export const sessionSentAcrossSites = defineCheck<CrossSiteSession>({
  id: 'cookies.session-sent-across-sites',
  title: 'Session cookie with SameSite=None',
  cwe: 1275,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:L/A:N',
  depth: 'deep',
  risk: 'safe',

  async detect(context) {
    const unavailable = await context.browser.unavailable();
    if (unavailable !== undefined) return notRun('browser_unavailable', unavailable);
    return withOwnSession<CrossSiteSession>(context, async (session, page, identity) => {
      const places = [page.url, ...corsPlaces(context, context.surfaces[identity.name] ?? context.surface)];
      for (const url of sample(context, [...new Set(places)], maxPlaces, 'addresses', 'a cookie belongs to the site')) {
        const data = await crossingAt(context, session, identity, url);
        if (!data) continue;
        return [
          {
            location: { url, parameter: data.names.join(' '), parameterIn: 'cookie' },
            // A cookie belongs to the site, not to the page that it happened to open.
            route: '/',
            detail: `The browser sent "${data.names.join('", "')}" of "${data.user}" from a page of another site.`,
            data,
          },
        ];
      }
      return [];
    });
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  gives: {
    kinds: ['cross-site-session'],
    facts: ({ data }) => (data ? [crossSiteSession(data.url, data.names)] : []),
  },

  explain: {
    description:
      'At login the site sets a cookie with SameSite=None, and this cookie alone is taken for the session. So browsers attach it to requests that pages of other sites cause, as far as their users have not switched cookies of other sites off.',
    impact:
      'A hostile page can make the browser of a user send requests in their name (cross-site request forgery). What stands between is then only what each address checks itself: a token, or the Origin header. Where an answer allows other origins to read it, the page reads the user’s data, too.',
    sends:
      'Logs a test identity in, requests up to 8 of its addresses with single cookies, and opens a page of a foreign origin that loads one of them in a browser with the session.',
    proves:
      'A real browser sends the session cookie with a request that a foreign page causes, and what it sent is enough to be shown the user’s text; a random value does not. An attacker’s page causes requests in the user’s session. No change was made.',
    remedy:
      'Set `SameSite=Lax` (or Strict) on each cookie that is taken for a session. Where a part of the site has to work in frames of partners, give that part a cookie of its own with as few rights as it needs, and `SameSite=None; Secure; Partitioned` (`__Host-widget=…; Path=/; Secure; HttpOnly; SameSite=None; Partitioned`): browsers then keep another one for each site around the frame. Express: `cookie: { sameSite: "lax" }`. Spring Boot: `server.servlet.session.cookie.same-site=lax`. ASP.NET Core: `options.Cookie.SameSite = SameSiteMode.Lax`. Django: `SESSION_COOKIE_SAMESITE = "Lax"`.',
    references: [
      'RFC 6265bis, SameSite: https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-8.8',
      'MDN, cookies that are partitioned (CHIPS): https://developer.mozilla.org/en-US/docs/Web/Privacy/Guides/Privacy_sandbox/Partitioned_cookies',
      'OWASP CSRF Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html',
      'CWE-1275: https://cwe.mitre.org/data/definitions/1275.html',
    ],
  },
});

async function crossingAt(
  context: CheckContext,
  session: OwnSession,
  identity: LoginIdentity,
  url: string,
): Promise<CrossSiteSession | undefined> {
  const cookies = crossSiteCookies(session.jar, url);
  if (cookies.length === 0) return undefined;
  const own = await ownTextAt(context, identity, session, url);
  const enough = own && (await enoughOf(context, cookies, url, own));
  return own && enough && { user: identity.name, url, names: enough.map(({ name }) => name), own };
}

/** One that is enough alone, or all of them; undefined when these are not enough, either. */
async function enoughOf({ http }: CheckContext, cookies: readonly CrossSiteCookie[], url: string, { text }: OwnText) {
  const alone = cookies.map((cookie) => [cookie]);
  for (const some of [...alone, ...(cookies.length > 1 ? [cookies] : [])]) {
    const answer = await http.get(url, { headers: [['Cookie', cookieHeader(some)]], fresh: true });
    if (answer.status === 200 && answer.text.includes(text)) return some;
  }
  return undefined;
}

function experimentFor({ user, url, names, own }: CrossSiteSession): Experiment {
  const alone = (value: (index: number) => string, note: string) => ({
    http: {
      url,
      headers: [['Cookie', names.map((name, index) => `${name}=${value(index)}`).join('; ')] as const],
    },
    note,
    expect: [claim('status', 'equals', '200'), claim('body', 'contains', '‹private›', 'A text of the user.')],
  });
  return {
    steps: [
      {
        http: { url },
        identity: user,
        note: 'The user is shown a text of their own; it and the cookie are remembered.',
        expect: [claim('status', 'equals', '200')],
        capture: [
          { name: 'private', subject: 'body', pattern: own.pattern, secret: true },
          ...names.map(
            (name, index): CaptureRule => ({
              name: `cookie${index + 1}`,
              subject: 'request:cookie',
              pattern: `(?:^|; )${escapePattern(name)}=([^;]+)`,
              secret: true,
            }),
          ),
        ],
      },
      sendsStep(
        {
          origin: foreignOrigin(url),
          url,
          identity: user,
          note: 'In the browser of the user, a page of another site causes a request.',
        },
        names,
      ),
      alone((index) => `‹cookie${index + 1}›`, 'What the browser sent is enough to be the user.'),
    ],
    control: [alone(() => '‹nonce2›', 'A cookie with another value is not: this one is the session.')],
  };
}
