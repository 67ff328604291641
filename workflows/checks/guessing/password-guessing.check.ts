import type { Experiment, Step } from '../../model/experiment.ts';
import { claim } from '../../model/experiment.ts';
import { parametersOf } from '../../probe/program-parts.ts';
import { isPageToken } from '../../survey/form-inputs.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { openInput } from '../inputs/open-input.ts';
import { attempt, attemptSteps, type LoginAttempt } from '../logins/attempt.ts';
import { isLocked } from '../logins/entrance.ts';
import { type Login, loginAction } from '../logins/login.ts';
import { type LoginIdentity, type MarkedPage, markedPage, openedClaims } from '../sessions/own-sessions.ts';
import { lacksLogin } from '../sessions/site-login.ts';
import { lastOwn, letsIn, loginOf, stillLetsIn } from './own-login.ts';
import { letsWait } from './pace.ts';

type Guessable = { login: Login; identity: LoginIdentity; page: MarkedPage; tried: LoginAttempt };

/** Wrong passwords in a row: limits of applications close an account, or slow it down, after three to ten. */
const guesses = 20;

/** After many wrong passwords in a row the right one still lets in. Source: CWE-307, WSTG-ATHN-03. */
export const passwordGuessing = defineCheck<Guessable>({
  id: 'guessing.password-guessing',
  title: 'Weak lockout: 20 password guesses in a row are not limited',
  cwe: 307,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:N',
  depth: 'deep',
  risk: 'caution',
  mayLockOut: true,
  cost: 70,

  async detect(context) {
    const identity = lastOwn(context);
    if (!identity) return lacksLogin(context, 'a test identity of your own that logs in with a password');
    const found = loginOf(context, identity);
    if (!found) return notApplicable(`The login of "${identity.name}" is no form or JSON that a guess can be sent to.`);
    const login = { ...found, input: await openInput(context, found.input) };
    if (hasOldToken(login))
      return notApplicable(
        'The login takes a token that no page gives anew: a guess would be refused for the token alone.',
      );
    const page = await markedPage(context, identity);
    const tried = page && (await withoutLimit(context, login, identity));
    if (!page || !tried) return [];
    const { url, method, in: place, route } = login.input;
    return [
      {
        location: { url, method, parameter: login.passwordField, parameterIn: place },
        route,
        detail: `After ${guesses} wrong passwords for "${identity.name}" within a minute the right one was accepted.`,
        data: { login, identity, page, tried },
      },
    ];
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The login takes one wrong password after the other for one account from one address: nothing delays or refuses further ones, and no captcha is asked for.',
    impact:
      'An attacker tries lists of frequent passwords, and those of other leaks, as fast as the server answers, until one opens an account.',
    sends: `Sends the login ${guesses} wrong passwords for a test identity, then logs it in; all that three times at the end of the deep checks. It stops at the first sign of a limit. Where there is one, that identity may be closed for a while.`,
    proves: `The right password lets the test identity in after ${guesses} wrong ones in a row, twice; a wrong one does not. An attacker guesses without a limit of that size. Higher limits are not reported.`,
    remedy:
      'Count failures by account and by address, and slow further tries down (`express-rate-limit`, `rack-attack`, django-axes, Laravel `throttle`, Spring `AuthenticationFailureHandler`), ask for a second factor, and refuse passwords that are on lists of leaks. Do not close accounts for good: anybody could close those of others.',
    references: [
      'CWE-307: https://cwe.mitre.org/data/definitions/307.html',
      'WSTG-ATHN-03: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/04-Authentication_Testing/03-Testing_for_Weak_Lock_Out_Mechanism',
      'OWASP ASVS 4.0, 2.2.1: https://owasp.org/www-project-application-security-verification-standard/',
    ],
  },
});

const wrongGuess = (login: Login, { userName = '' }: LoginIdentity) => loginAction(login, userName, '‹nonce2›');

/** With a token from before, in a field or in its address, the site may refuse each guess for that alone, and count none of them. */
const hasOldToken = ({ input }: Login): boolean =>
  (input.in === 'body' && input.opening === undefined && input.others.some(isToken)) ||
  parametersOf(input.url).some(isToken);

const isToken = ({ name, value }: Login['input']['others'][number]): boolean =>
  isPageToken({ type: 'hidden', name, value });

/** A wrong try as it was answered, when the right password is accepted after so many. */
async function withoutLimit(
  context: CheckContext,
  login: Login,
  identity: LoginIdentity,
): Promise<LoginAttempt | undefined> {
  const action = wrongGuess(login, identity);
  if (!action) return undefined;
  const answers: LoginAttempt[] = [];
  for (let count = 0; count < guesses; count += 1) {
    const tried = await attempt(context, login, action, 'guess');
    answers.push(tried);
    if (
      isLocked(tried.exchange) ||
      letsWait(
        answers.map(({ exchange }) => exchange),
        guesses,
      )
    )
      return undefined;
  }
  return (await letsIn(context, identity)) ? answers.at(-1) : undefined;
}

function experimentFor({ login, identity, page, tried }: Guessable): Experiment {
  const wrong = (note: string): Step[] =>
    attemptSteps(login, tried, { note, expect: [claim('status', 'less-than', '429')] });
  return {
    steps: [
      ...Array.from({ length: guesses }, (_, count) => wrong(`Wrong password ${count + 1} of ${guesses}.`)).flat(),
      ...stillLetsIn(identity, page),
    ],
    control: [
      ...wrong('One more wrong password.'),
      {
        http: { url: page.url },
        note: 'It lets nobody in: the page is not shown without the login.',
        expect: openedClaims(page),
      },
    ],
  };
}
