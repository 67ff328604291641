import { claim, type Experiment } from '../../model/experiment.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { defineCheck, notRun } from '../contract.ts';
import { enoughOf } from '../sessions/enough-cookies.ts';
import {
  inOwnSession,
  type LoginIdentity,
  logInStep,
  type MarkedPage,
  withCookies,
  withOwnSession,
} from '../sessions/own-sessions.ts';

type ReadableSession = { identity: LoginIdentity; page: MarkedPage; names: string[] };

/** Script on a page can read the cookies that make the session. Source: RFC 6265 §4.1.2.6, CWE-1004. */
export const sessionReadableByScript = defineCheck<ReadableSession>({
  id: 'cookies.session-readable-by-script',
  title: 'Session cookie without HttpOnly',
  cwe: 1004,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:N',
  depth: 'deep',
  risk: 'safe',

  async detect(context) {
    const unavailable = await context.browser.unavailable();
    if (unavailable !== undefined) return notRun('browser_unavailable', unavailable);
    return withOwnSession<ReadableSession>(context, async ({ jar }, page, identity) => {
      const sent = jar.header(page.url).split('; ');
      const readable = jar.all().filter(({ name, value, httpOnly }) => !httpOnly && sent.includes(`${name}=${value}`));
      const cookies = await enoughOf(context, page, readable);
      if (!cookies) return [];
      const names = cookies.map(({ name }) => name);
      return [
        {
          location: { url: page.url, parameter: names.join(' '), parameterIn: 'cookie' },
          // A cookie belongs to the site, not to the page that happened to show it.
          route: '/',
          detail: `A script read "${names.join('", "')}" of "${identity.name}", and that alone opened the account elsewhere.`,
          data: { identity, page, names },
        },
      ];
    });
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  gives: {
    kinds: ['readable-session'],
    facts: ({ data }) =>
      data
        ? [
            {
              kind: 'readable-session',
              subject: new URL(data.page.url).origin,
              attributes: { identity: data.identity.name, page: data.page.url, cookies: data.names.join(' ') },
            },
          ]
        : [],
  },

  explain: {
    description:
      'The cookie that makes the session lacks the attribute HttpOnly, so every script that runs on a page of the site can read it.',
    impact:
      'One script that should not be there, through a cross-site scripting mistake, an advertisement or a library that was tampered with, sends the cookie to its author. They have the session on their own computer then, for as long as it lasts, after the page is closed as well.',
    sends:
      'Logs a test identity in, opens its page in a browser, and requests the page with the cookies that script can read.',
    proves:
      'The cookies that script reads in a real browser open the account in another client; a random value does not. An attacker whose script runs on the site takes the session. No script was injected.',
    remedy:
      'Set HttpOnly on every cookie that makes a session: `Set-Cookie: __Host-session=…; Path=/; Secure; HttpOnly; SameSite=Lax`. PHP: `session.cookie_httponly = 1`. Express: `cookie: { httpOnly: true }`. Django: `SESSION_COOKIE_HTTPONLY = True`. ASP.NET Core: `options.Cookie.HttpOnly = true`. Script that needs to know who is logged in asks an endpoint such as /api/me.',
    references: [
      'RFC 6265 §4.1.2.6: https://www.rfc-editor.org/rfc/rfc6265#section-4.1.2.6',
      'CWE-1004: https://cwe.mitre.org/data/definitions/1004.html',
      'WSTG-SESS-02: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/06-Session_Management_Testing/02-Testing_for_Cookies_Attributes',
    ],
  },
});

function experimentFor({ identity, page, names }: ReadableSession): Experiment {
  const header = (value: (index: number) => string) => names.map((name, index) => `${name}=${value(index)}`).join('; ');
  return {
    steps: [
      logInStep(identity),
      {
        browser: { url: page.url },
        ...inOwnSession,
        note: 'In a browser with this session, script on the page reads the cookie.',
        expect: [claim('browser:cookies', 'present')],
        capture: names.map((name, index) => ({
          name: `read${index + 1}`,
          subject: 'browser:cookies',
          pattern: `(?:^|; )${escapePattern(name)}=([^;]+)`,
          secret: true,
        })),
      },
      withCookies(
        page,
        header((index) => `‹read${index + 1}›`),
        'What the script read opens the account elsewhere.',
      ),
    ],
    control: [
      withCookies(
        page,
        header(() => '‹nonce›'),
        'A cookie with another value does not: this one is the session.',
      ),
    ],
  };
}
