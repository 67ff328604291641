import type { Experiment } from '../../model/experiment.ts';
import { defineCheck, notApplicable } from '../contract.ts';
import {
  inOwnSession,
  type LoginIdentity,
  logInStep,
  type MarkedPage,
  openedClaims,
  withCookies,
  withOwnSession,
} from '../sessions/own-sessions.ts';
import { findLogout, type Logout } from './logout.ts';

type SurvivingSession = { identity: LoginIdentity; page: MarkedPage; logout: Logout };

/** The cookies of a session still open it after its user has logged out. Source: CWE-613, WSTG-SESS-06. */
export const logoutKeepsSession = defineCheck<SurvivingSession>({
  id: 'auth.logout-keeps-session',
  title: 'Session remains valid after logout',
  cwe: 613,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:N',
  depth: 'deep',
  risk: 'caution',
  endsSessions: true,

  detect: (context) =>
    withOwnSession<SurvivingSession>(context, async (session, page, identity) => {
      const { jar, headers } = session;
      if (jar.header(page.url) === '') return notApplicable('Sessions are not kept in cookies.');
      const shown = await context.http.get(page.url, { jar, headers, fresh: true });
      const logout = findLogout(shown, inOwnSession);
      if (!logout) return notApplicable(`${page.url} offers no way to log out.`);
      return [
        {
          location: { url: logout.url, method: logout.method },
          // How sessions end is one property of the site, wherever it is offered.
          route: '/',
          detail: `"${identity.name}" logged out, and the cookies from before still opened the account.`,
          data: { identity, page, logout },
        },
      ];
    }),

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'Logging out takes the cookie out of the browser, but the site goes on to accept it: the session was not ended on the server.',
    impact:
      'Whoever got hold of the cookie before, from a shared computer, a proxy’s log or by script, stays logged in as the user, who believes to have put an end to it.',
    sends:
      'Logs a test identity in, logs that session out through the page’s own link or form, and requests the user’s page with the cookies from before. Nothing is to be undone: only the new session ends.',
    proves:
      'The cookies from before the logout still open the account, while a browser that took the answer to the logout is logged out. An attacker who has the cookie stays logged in.',
    remedy:
      'End the session on the server when the user logs out, and then take the cookie away: PHP `session_destroy()`, Express `req.session.destroy()`, Django `logout(request)`, Rails `reset_session`, Spring `invalidateHttpSession(true)`. Sessions that are signed tokens need a list of ended ones: keep the `jti` of each ended token until it expires, or a version of the user’s sessions that is compared on each request; keep such tokens to minutes and renew them by a token that the server can revoke.',
    references: [
      'CWE-613: https://cwe.mitre.org/data/definitions/613.html',
      'OWASP Session Management Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html',
      'WSTG-SESS-06: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/06-Session_Management_Testing/06-Testing_for_Logout_Functionality',
    ],
  },
});

function experimentFor({ identity, page, logout }: SurvivingSession): Experiment {
  return {
    steps: [
      logInStep(identity),
      {
        http: { url: page.url },
        ...inOwnSession,
        note: 'The session works; its cookies are remembered.',
        expect: openedClaims(page),
        capture: [{ name: 'cookies', subject: 'request:cookie', pattern: '^.+$', secret: true }],
      },
      ...logout.steps,
      withCookies(page, '‹cookies›', 'The cookies from before still open the account.'),
    ],
    control: [
      {
        http: { url: page.url },
        ...inOwnSession,
        note: 'A browser that took the answer to the logout is logged out: it was one.',
        expect: openedClaims(page),
      },
    ],
  };
}
