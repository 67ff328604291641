import type { Assertion, Experiment, Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { requestOfInput } from '../inputs/open-input.ts';
import { attemptSteps, type LoginAttempt } from '../logins/attempt.ts';
import { isLocked } from '../logins/entrance.ts';
import { claimsBy, nobodyLike, tryAndFollow } from '../logins/known-names.ts';
import { resetOf } from '../logins/reset-forms.ts';
import { type AskedReset, lookAtResets, type StoreOf } from './asked-resets.ts';

type EnumeratedByReset = AskedReset & {
  tries: { unknown: LoginAttempt; known: LoginAttempt };
  ifKnown: Assertion[];
  ifUnknown: Assertion[];
  /** The page that says so, to which all answers lead; the answer itself when not given. */
  pageUrl?: string;
};

/** The form for a new password answers otherwise when the account is there. Source: CWE-204, WSTG-IDNT-04. */
export const resetEnumeration = defineCheck<EnumeratedByReset>({
  id: 'auth.reset-enumeration',
  title: 'User enumeration (password reset)',
  cwe: 204,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'deep',
  risk: 'caution',

  detect: (context) =>
    lookAtResets(
      context,
      (store, reset) => enumerateBy(context, store, reset),
      ({ name }) => `"${name}" was answered otherwise than a name that nobody has.`,
    ),

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The form by which somebody asks for a new password answers for an account that is there otherwise than for a name that nobody has: by its words, its status, where it leads or what the page there says.',
    impact:
      'An attacker finds out which of many names and mail addresses have an account here: whom to send phishing to, and for whom to try passwords from other leaks.',
    sends:
      'Only with `writes: "create"`: asks up to 2 forms for a new password of a test identity, three times, and of names that nobody has, five times. The site may write to the identity. No password is changed.',
    proves:
      'Names of nobody are answered alike and that of a test identity otherwise, twice. What an answer repeats of the name does not count. Times are not compared.',
    remedy:
      'Answer all names alike ("If there is an account, a message is on its way"), in the same time: send the message from a queue.',
    references: [
      'CWE-204: https://cwe.mitre.org/data/definitions/204.html',
      'OWASP Forgot Password Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Forgot_Password_Cheat_Sheet.html',
      'WSTG-IDNT-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/03-Identity_Management_Testing/04-Testing_for_Account_Enumeration_and_Guessable_User_Account',
    ],
  },
});

async function enumerateBy(
  context: CheckContext,
  store: StoreOf,
  reset: AskedReset,
): Promise<EnumeratedByReset | undefined> {
  const { input, name } = reset;
  const ask = (who: string, prefix: string) => {
    const action = resetOf(input, who);
    return tryAndFollow(context, { input }, action, prefix, async (values) =>
      store('', await requestOfInput(context, input, action, values), async (answer): Promise<Exchange> => answer),
    );
  };
  const [unknown, known] = [await ask(nobodyLike(name, '‹nonce›'), 'unknown'), await ask(name, 'known')];
  if (isLocked(unknown.exchange) || isLocked(known.exchange)) return undefined;
  const claims = claimsBy([known], [unknown], name);
  return claims && { input, name, tries: { unknown, known }, ...claims };
}

function experimentFor({ input, tries, name, ifKnown, ifUnknown, pageUrl }: EnumeratedByReset): Experiment {
  const page = pageUrl === undefined ? {} : { page: { url: pageUrl, note: 'The page to which the answer leads.' } };
  const step = (tried: LoginAttempt, note: string, expect: Assertion[]): Step[] =>
    attemptSteps({ input }, tried, { note, expect, ...page, isShown: true });
  const other = { ...tries.unknown, action: resetOf(input, nobodyLike(name, '‹nonce2›')) };
  return {
    steps: [
      ...step(tries.unknown, 'A new password is asked for a name that nobody has.', ifUnknown),
      ...step(tries.known, `That of "${name}" is answered otherwise.`, ifKnown),
    ],
    control: step(other, 'Another name that nobody has is not answered as that of an account.', ifKnown),
  };
}
