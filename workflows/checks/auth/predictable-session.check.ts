import { claim, type Experiment, type Step, type Subject } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { OwnSession } from '../../model/identity.ts';
import { numberInCookie } from '../../proof/plain-number.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import {
  type LoginIdentity,
  type MarkedPage,
  openedClaims,
  opensWith,
  withOwnSession,
} from '../sessions/own-sessions.ts';

type CountedSession = { identity: LoginIdentity; page: MarkedPage; name: string };

/** Further sessions that are looked at; the proof takes eight more. */
const further = 2;
/** Numbers that a session may be ahead of the one before it: whoever has the one tries so many for the other. */
const reach = 100_000;

/** The identifier of a session is a number that follows from the one before it. Source: CWE-340, WSTG-SESS-01. */
export const predictableSession = defineCheck<CountedSession>({
  id: 'auth.predictable-session',
  title: 'Predictable session identifier',
  cwe: 340,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  depth: 'deep',
  risk: 'safe',

  detect: (context) =>
    withOwnSession<CountedSession>(context, async (session, page, identity) => {
      const name = await countedCookie(context, session, page);
      if (name === undefined) return [];
      const numbers = [numberIn(session.answer, name)];
      for (let count = 0; count < further; count += 1)
        numbers.push(numberIn((await context.logIn(identity.name)).answer, name));
      if (!areNear(numbers)) return [];
      return [
        {
          location: { url: identity.loginUrl, method: 'POST', parameter: name, parameterIn: 'cookie' },
          route: '/',
          detail: `The cookie "${name}" alone opens the account; those of ${numbers.length} logins follow each other as numbers do that are counted.`,
          data: { identity, page, name },
        },
      ];
    }),

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The cookie that opens an account is a number, or an encoding or plain digest of one, that grows from one login to the next by a little: a counter, or the time.',
    impact:
      'An attacker logs in, or only looks at their own cookie, and tries the numbers around it: each that was given to somebody else opens that account.',
    sends:
      'Logs a test identity in up to eleven times and reads the cookies that it is given. No other number is tried.',
    proves:
      'Of three logins one after the other each has a larger number than the one before, by 100,000 at most, twice; a fourth is not among them. The cookie alone opens the account. An attacker reaches sessions of others by trying. None of others was tried.',
    remedy:
      'Let the framework make identifiers of sessions, or take at least 128 bits of a cryptographic generator (`crypto.randomBytes(16)`, `random_bytes(16)`, `secrets.token_urlsafe(16)`). A digest of something that can be guessed is no better than what it is made of.',
    references: [
      'CWE-340: https://cwe.mitre.org/data/definitions/340.html',
      'WSTG-SESS-01: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/06-Session_Management_Testing/01-Testing_for_Session_Management_Schema',
    ],
  },
});

/** The cookie with a number in it that opens the account without any other. */
async function countedCookie(
  context: CheckContext,
  session: OwnSession,
  page: MarkedPage,
): Promise<string | undefined> {
  for (const cookie of session.jar.all()) {
    if (numberIn(session.answer, cookie.name) === undefined) continue;
    if (await opensWith(context, page, [cookie])) return cookie.name;
  }
  return undefined;
}

const numberIn = (answer: Exchange, name: string): number | undefined => {
  const number = numberInCookie(answer, name);
  return number === undefined ? undefined : Number(number);
};

const areNear = (numbers: readonly (number | undefined)[]): boolean =>
  numbers.every((number, index) => {
    const before = numbers[index - 1];
    return (
      number !== undefined && (index === 0 || (before !== undefined && number > before && number < before + reach))
    );
  });

function experimentFor({ identity, page, name }: CountedSession): Experiment {
  const subject: Subject = `cookie-number:${name}`;
  const logIn = (place: number, note: string, expect: Step['expect']): Step => ({
    http: { method: 'POST', url: identity.loginUrl, logIn: identity.name },
    session: `login${place}`,
    note,
    expect,
    capture: [{ name: `number${place}`, subject, pattern: '^\\d+$' }],
  });
  const next = (place: number): Step['expect'] => [
    claim(subject, 'greater-than', `‹number${place - 1}›`),
    claim(subject, 'less-than', `‹sum:number${place - 1}:${reach}›`),
  ];
  return {
    steps: [
      logIn(1, 'The user logs in; the cookie has a number in it.', [claim(subject, 'present')]),
      logIn(2, 'At the next login the number is a little larger.', next(2)),
      logIn(3, 'And once more.', next(3)),
      {
        http: { url: page.url },
        session: 'login3',
        note: 'Such a cookie opens the account.',
        expect: openedClaims(page),
      },
    ],
    control: [
      logIn(4, 'A later login has no number among those before it: they are counted, and not drawn.', [
        claim(subject, 'greater-than', '‹number1›'),
        claim(subject, 'less-than', '‹number3›'),
      ]),
    ],
  };
}
