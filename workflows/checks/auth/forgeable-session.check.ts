import type { Experiment, Step } from '../../model/experiment.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { isRefusing } from '../decisions/refused-page.ts';
import { madeOfUser, type NamedCookie } from '../sessions/named-cookie.ts';
import {
  type LoginIdentity,
  type MarkedPage,
  opensWith,
  withCookies,
  withOwnSession,
} from '../sessions/own-sessions.ts';

type NamedSession = {
  identity: LoginIdentity;
  page: MarkedPage;
  cookie: string;
  value: string;
  other: string;
  /** What the other value is made of, and the page refuses. */
  otherOf: string;
};

/** A cookie that anybody makes of a user name opens the account. Source: CWE-290, WSTG-SESS-01. */
export const forgeableSession = defineCheck<NamedSession>({
  id: 'auth.forgeable-session',
  title: 'Session forgery: the cookie is made of the user name or number alone',
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
          const made = madeOfUser(own, userName);
          if (!made || !(await opensWith(context, page, [{ name: cookie, value: own }]))) continue;
          const forged = await forgery(context, { identity, page, cookie, value: own }, made);
          const how = own === value ? made.how : `${made.how}, and is taken without the signature behind it`;
          if (forged) return [candidateFor(forged, how)];
        }
      }
      return [];
    }),

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The cookie that opens an account is the user name or the number of the account, in an encoding or as a digest perhaps, and nothing that only the server knows; or a signature behind it that may be left out.',
    impact:
      'Anybody who knows or guesses a user name, or counts, writes the cookie themselves and is logged in as that user.',
    sends:
      'Logs a test identity in, twice where the cookie has a number, makes the cookie of its name or number without the login, and without the signature where it has one, and requests its page with that cookie alone; the same with a name or number that nobody has.',
    proves:
      'The cookie that was made of the user name or number opens the account, twice, without a login; one made of another in the same way does not, or, where any name is let in, one not made so. An attacker needs the name or number only.',
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
  for (const { 0: sign, index } of value.matchAll(/--|%7C|[.|:~]/g)) {
    const isSigned = index >= minContent && /^[\w+/=%-]{20,}$/.test(value.slice(index + sign.length));
    if (isSigned) return [value.slice(0, index), value.slice(0, index + sign.length)];
  }
  return [];
}

/** Shorter ones say nothing about anybody. */
const minContent = 4;

/** Of nobody: accounts are counted from one. */
const farNumber = '90000017';

/** What the cookie would be for somebody else, or for nobody, whom the page refuses. */
async function forgery(
  context: CheckContext,
  found: Omit<NamedSession, 'other' | 'otherOf'>,
  made: NamedCookie,
): Promise<NamedSession | undefined> {
  const { page, cookie, identity } = found;
  const opens = (value: string) => opensWith(context, page, [{ name: cookie, value }]);
  if (made.number !== undefined) {
    // A number that is another one at each login is that of the session.
    const { jar } = await context.logIn(identity.name);
    if (jar.all().find(({ name }) => name === cookie)?.value !== found.value) return undefined;
  }
  const name = context.nonce();
  const other = made.valueFor({ name, number: farNumber });
  if (!(await opens(other))) return { ...found, other, otherOf: 'made of a name that nobody has' };
  // The page is shown to whatever name the cookie says, and refused to whoever has none.
  const none = await context.http.get(page.url, { fresh: true });
  if (!isRefusing(none) || (await opens(name))) return undefined;
  return { ...found, value: other, other: name, otherOf: 'a word that it is not made of' };
}

function candidateFor(data: NamedSession, how: string) {
  const { identity, cookie } = data;
  return {
    location: { url: identity.loginUrl, method: 'POST', parameter: cookie, parameterIn: 'cookie' as const },
    route: '/',
    detail: `The cookie "${cookie}" is ${how}.`,
    data,
  };
}

function experimentFor({ page, cookie, value, other, otherOf }: NamedSession): Experiment {
  const step = (own: string, note: string): Step => withCookies(page, `${cookie}=${own}`, note);
  return {
    steps: [step(value, 'The cookie, made of what is known of a user, opens the account; nobody has logged in.')],
    control: [step(other, `The same cookie, ${otherOf}, does not.`)],
  };
}
