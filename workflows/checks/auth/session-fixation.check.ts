import type { Experiment } from '../../model/experiment.ts';
import type { OwnSession } from '../../model/identity.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import {
  headerOfVisit,
  type LoginIdentity,
  logInStep,
  type MarkedPage,
  opensWith,
  visitStep,
  withCookies,
  withOwnSession,
} from '../sessions/own-sessions.ts';
import { parseSetCookie } from '../sessions/set-cookie.ts';

type Fixed = {
  identity: LoginIdentity;
  page: MarkedPage;
  /** Gives the cookies to a visitor who is not logged in. */
  givenBy: string;
  names: string[];
};

type AnonymousSession = { url: string; cookies: { name: string; value: string }[] };

/** A session from before the login is the session of the user afterwards. Source: CWE-384, WSTG-SESS-03. */
export const sessionFixation = defineCheck<Fixed>({
  id: 'auth.session-fixation',
  title: 'Session fixation',
  cwe: 384,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:H/I:H/A:N',
  depth: 'deep',
  risk: 'safe',

  detect: (context) =>
    withOwnSession<Fixed>(context, async (session, page, identity) => {
      const before = await givenToVisitor(context, session, [identity.loginUrl, page.url]);
      if (!before) return [];
      const jar = context.http.newJar();
      for (const { name, value } of before.cookies) jar.set(new URL('/', before.url).href, name, value);
      await context.logIn(identity.name, jar);
      if (!(await opensWith(context, page, before.cookies))) return [];
      const opening = await openingOf(context, page, before.cookies);
      const names = before.cookies.map(({ name }) => name);
      return [
        {
          location: { url: identity.loginUrl, method: 'POST', parameter: opening.join(' '), parameterIn: 'cookie' },
          detail: `The cookie "${opening.join('", "')}" from before the login of "${identity.name}" opened the account.`,
          data: { identity, page, givenBy: before.url, names },
        },
      ];
    }),

  confirm: (_context, { data }) => data && experimentFor(data),

  gives: {
    kinds: ['fixable-session'],
    facts: ({ data }) =>
      data
        ? [
            {
              kind: 'fixable-session',
              subject: new URL(data.givenBy).origin,
              attributes: { identity: data.identity.name, givenBy: data.givenBy, cookies: data.names.join(' ') },
            },
          ]
        : [],
  },

  explain: {
    description:
      'A visitor is given a session before logging in, and the same identifier is that of the logged-in user afterwards.',
    impact:
      'An attacker visits the site, puts the identifier that they got into the browser of somebody else (by another weak host of the domain, a script, an open connection or a shared computer) and waits. When that person logs in, the attacker is logged in, too.',
    sends:
      'Requests a page as a visitor, logs a test identity in with the cookies of that visit, and requests the user’s page with those cookies alone.',
    proves:
      'The cookie from before the login opens the account; one with which nobody logged in does not. An attacker who gets their cookie into a user’s browser has the session. How it gets there is not shown.',
    remedy:
      'Give a new identifier whenever rights change, above all at login, and make the old one worthless: PHP `session_regenerate_id(true)`, Express `req.session.regenerate(…)`, Django `login()` (which calls `cycle_key`), Rails `reset_session` before the user is set, Spring `sessionFixation().migrateSession()`, ASP.NET Core sign-in cookies instead of data in the session. The prefix `__Host-` keeps other hosts of the domain from setting the cookie.',
    references: [
      'CWE-384: https://cwe.mitre.org/data/definitions/384.html',
      'OWASP Session Management Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#renew-the-session-id-after-any-privilege-level-change',
      'WSTG-SESS-03: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/06-Session_Management_Testing/03-Testing_for_Session_Fixation',
    ],
  },
});

/** Names of those cookies without which the page is not opened: others keep a language or a theme. */
async function openingOf(
  context: CheckContext,
  page: Parameters<typeof opensWith>[1],
  cookies: AnonymousSession['cookies'],
): Promise<string[]> {
  let needed = cookies;
  for (const cookie of cookies) {
    const rest = needed.filter((each) => each !== cookie);
    if (rest.length > 0 && (await opensWith(context, page, rest))) needed = rest;
  }
  return needed.map(({ name }) => name);
}

/** The answer that gives a visitor most of the cookies that a logged-in session has too. */
async function givenToVisitor({ http, surface }: CheckContext, session: OwnSession, urls: string[]) {
  const names = new Set(session.jar.all().map(({ name }) => name));
  let best: AnonymousSession | undefined;
  for (const url of new Set([...urls, surface.url])) {
    const last = await http.get(url, { jar: http.newJar(), fresh: true, maxRedirects: 3 });
    for (const exchange of [...last.redirects, last]) {
      const set = exchange.headerValues('set-cookie').flatMap((line) => parseSetCookie(line) ?? []);
      const cookies = set.filter(({ name, value }) => value !== '' && names.has(name));
      if (cookies.length > (best?.cookies.length ?? 0)) best = { url: exchange.request.url, cookies };
    }
  }
  return best;
}

function experimentFor({ identity, page, givenBy, names }: Fixed): Experiment {
  const given = headerOfVisit(names, 'given');
  return {
    steps: [
      visitStep(givenBy, names, 'given', 'A visitor who is not logged in is given a cookie.'),
      logInStep(identity, [['Cookie', given]]),
      withCookies(page, given, 'That cookie alone opens the account, without knowing the one after the login.'),
    ],
    control: [
      visitStep(givenBy, names, 'other', 'Another visitor is given a cookie, with which nobody logs in.'),
      withCookies(page, headerOfVisit(names, 'other'), 'It does not open the account.'),
    ],
  };
}
