import { claim } from '../../model/experiment.ts';
import { defineCheck, notApplicable } from '../contract.ts';
import {
  type CookiePlace,
  cookieAnswers,
  cookieExperiment,
  findSessions,
  sessionPlace,
} from '../sessions/find-sessions.ts';
import { isRefusedWithoutSecure, type SetCookie } from '../sessions/set-cookie.ts';

/** A session cookie set over HTTPS lacks the Secure attribute. Source: RFC 6265 §4.1.2.5, §8.3. */
export const sessionWithoutSecure = defineCheck<CookiePlace>({
  id: 'cookies.session-without-secure',
  title: 'Session cookie without Secure',
  cwe: 614,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:H/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const isSecure = (url: string) => url.startsWith('https:');
    if (!cookieAnswers(context.surface).some(({ url }) => isSecure(url)))
      return notApplicable('No page was seen over HTTPS.');
    const sessions = await findSessions(context, (url, cookie) => isSecure(url) && isExposed(cookie));
    return sessions.map((session) => sessionPlace(session));
  },

  confirm: (_context, { data }) =>
    data &&
    cookieExperiment(data, 'An answer over HTTPS sets the session cookie without Secure.', (subject) => [
      claim(subject, 'not-matches', '(?i);\\s*secure\\s*(?:;|=|$)', 'Its attributes do not include Secure.'),
    ]),

  explain: {
    description:
      'The site sets a session cookie over HTTPS without the Secure attribute. Browsers therefore send it with every request to the same host, unencrypted ones included.',
    impact:
      'One http request suffices, an image on another page or a mistyped address will do, and somebody who listens on the way has the session: they act as the visitor until it ends.',
    sends:
      'Requests the HTTPS address that sets the cookie again, with the cookie and with an invented value where its line alone does not show what it is for.',
    proves:
      'An answer over HTTPS sets a cookie, a session by its name and value, without Secure; no cookie of a random name is set. Shows a configuration; no traffic was intercepted. Info where only the name hints at a session.',
    remedy:
      'Set Secure (with HttpOnly and SameSite) on every session cookie, best with the __Host- prefix, which browsers accept only with Secure: `Set-Cookie: __Host-session=…; Path=/; Secure; HttpOnly; SameSite=Lax`. PHP: `session.cookie_secure = 1`. Express: `cookie: { secure: true }` and `app.set("trust proxy", 1)` behind a proxy. Django: `SESSION_COOKIE_SECURE = True`. ASP.NET Core: `options.Cookie.SecurePolicy = CookieSecurePolicy.Always`.',
    references: [
      'RFC 6265 §8.3: https://www.rfc-editor.org/rfc/rfc6265#section-8.3',
      'CWE-614: https://cwe.mitre.org/data/definitions/614.html',
      'WSTG-SESS-02: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/06-Session_Management_Testing/02-Testing_for_Cookies_Attributes',
    ],
  },
});

const isExposed = (cookie: SetCookie): boolean => !cookie.secure && !isRefusedWithoutSecure(cookie);
