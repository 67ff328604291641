import type { Experiment, Step } from '../../model/experiment.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { madeOfName } from '../sessions/named-cookie.ts';
import {
  type LoginIdentity,
  type MarkedPage,
  opensWith,
  withCookies,
  withOwnSession,
} from '../sessions/own-sessions.ts';

type NamedSession = { identity: LoginIdentity; page: MarkedPage; cookie: string; value: string; other: string };

/** A cookie that anybody makes of a user name opens the account. Source: CWE-290, WSTG-SESS-01. */
export const forgeableSession = defineCheck<NamedSession>({
  id: 'auth.forgeable-session',
  title: 'Session forgery: the cookie is made of the user name alone',
  cwe: 290,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  depth: 'deep',
  risk: 'safe',

  detect: (context) =>
    withOwnSession<NamedSession>(context, async (session, page, identity) => {
      const { userName } = identity;
      if (userName === undefined || userName.length < 2) return notApplicable('No test identity has a user name.');
      for (const { name: cookie, value } of session.jar.all()) {
        for (const own of [value, ...unsigned(value)]) {
          const made = madeOfName(own, userName);
          if (!made || !(await opensWith(context, page, [{ name: cookie, value: own }]))) continue;
          const how = own === value ? made.how : `${made.how}, and is taken without the signature behind it`;
          return [candidateFor(context, { identity, page, cookie, value: own }, { ...made, how })];
        }
      }
      return [];
    }),

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The cookie that opens an account is the user name, in an encoding or as a digest perhaps, and nothing that only the server knows; or a signature behind it that may be left out.',
    impact: 'Anybody who knows or guesses a user name writes the cookie themselves and is logged in as that user.',
    sends:
      'Logs a test identity in, makes the cookie of its user name without the login, and without the signature where it has one, and requests its page with that cookie alone; the same with a name that nobody has.',
    proves:
      'The cookie that was made of the user name opens the account, twice, without a login; one that was made of another name in the same way does not. An attacker needs the user name only.',
    remedy:
      'Keep a random identifier in the cookie and the user on the server (`express-session`, `session_start()`, Django sessions), or sign what is in the cookie with a key of the server, and refuse what is not signed. A digest without a key is no signature.',
    references: [
      'CWE-290: https://cwe.mitre.org/data/definitions/290.html',
      'WSTG-SESS-01: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/06-Session_Management_Testing/01-Testing_for_Session_Management_Schema',
    ],
  },
});

/** What is left without the signature: nothing, or the sign that stands before it. */
function unsigned(value: string): string[] {
  const [, content, sign = ''] = /^(.{4,}?)(--|%7C|[.|:~])[\w+/=%-]{20,}$/s.exec(value) ?? [];
  return content === undefined ? [] : [content, content + sign];
}

function candidateFor(
  context: CheckContext,
  found: Omit<NamedSession, 'other'>,
  { how, valueFor }: { how: string; valueFor(name: string): string },
) {
  const { identity, cookie } = found;
  return {
    location: { url: identity.loginUrl, method: 'POST', parameter: cookie, parameterIn: 'cookie' as const },
    route: '/',
    detail: `The cookie "${cookie}" is ${how}.`,
    data: { ...found, other: valueFor(context.nonce()) },
  };
}

function experimentFor({ page, cookie, value, other }: NamedSession): Experiment {
  const step = (own: string, note: string): Step => withCookies(page, `${cookie}=${own}`, note);
  return {
    steps: [step(value, 'The cookie, made of the user name, opens the account; nobody has logged in.')],
    control: [step(other, 'The same, made of a name that nobody has, does not.')],
  };
}
