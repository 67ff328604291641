import type { Assertion, Experiment, Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { newTrialValues } from '../../proof/template.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { inputSteps, requestOfInput } from '../inputs/open-input.ts';
import { isLocked } from '../logins/entrance.ts';
import { claimsOn, nobodyLike } from '../logins/known-names.ts';
import { type AskedReset, lookAtResets, type StoreOf } from './asked-resets.ts';
import { resetOf } from './reset-forms.ts';

type EnumeratedByReset = AskedReset & { ifKnown: Assertion[]; ifUnknown: Assertion[] };

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
      'The form by which somebody asks for a new password answers for an account that is there otherwise than for a name that nobody has: by its words, its status or where it leads.',
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
  const ask = async (who: string) => {
    const values = newTrialValues(context.nonce);
    const request = await requestOfInput(context, input, resetOf(input, who), values);
    return { values, exchange: await store('', request, async (answer): Promise<Exchange> => answer) };
  };
  const [unknown, known] = [await ask(nobodyLike(name, '‹nonce›')), await ask(name)];
  if (isLocked(unknown.exchange) || isLocked(known.exchange)) return undefined;
  const claims = claimsOn([known], [unknown], name);
  return claims && { input, name, ...claims };
}

function experimentFor({ input, name, ifKnown, ifUnknown }: EnumeratedByReset): Experiment {
  const step = (who: string, note: string, expect: Assertion[]): Step[] =>
    inputSteps(input, resetOf(input, who), { note, expect, isShown: true });
  return {
    steps: [
      ...step(nobodyLike(name, '‹nonce›'), 'A new password is asked for a name that nobody has.', ifUnknown),
      ...step(name, `That of "${name}" is answered otherwise.`, ifKnown),
    ],
    control: step(
      nobodyLike(name, '‹nonce2›'),
      'Another name that nobody has is not answered as that of an account.',
      ifKnown,
    ),
  };
}
