import { type CheckContext, defineCheck, notRun } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { commonPasswords } from '../logins/common-passwords.ts';
import { accountChange, usualAccounts } from '../logins/default-accounts.ts';
import { givesEnteredLogin } from '../logins/entered-login.ts';
import type { LoginChange } from '../logins/entrance.ts';
import { entranceExperiment } from '../logins/entrance-experiment.ts';
import { type EnteredLogin, findEntrances } from '../logins/find-entrance.ts';
import { enumeratedName } from '../logins/known-names.ts';
import type { Login } from '../logins/login.ts';
import { namesShown } from '../logins/names-shown.ts';

const maxShown = 2;
const maxNames = 2;

/** An account opens with one of the passwords that most people choose. Source: CWE-521, WSTG-ATHN-07. */
export const commonPassword = defineCheck<EnteredLogin>({
  id: 'guessing.common-password',
  title: 'Weak password: an account opens with one of the most common passwords',
  cwe: 521,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:L/A:N',
  depth: 'deep',
  risk: 'caution',
  triesLogins: true,
  cost: 90,

  async detect(context) {
    if (context.writes !== 'create')
      return notRun(
        'would_write',
        'many wrong passwords may close an account: the scope of the domain has to say "writes": "create"',
      );
    return findEntrances(context, (login) => guesses(context, login));
  },

  confirm: (_context, { data }) =>
    data && entranceExperiment(data.login, data.entrance, 'the password is one of those that most people choose.'),

  gives: givesEnteredLogin,

  explain: {
    description:
      'An account whose name the site shows or confirms has a password that stands at the top of every list of leaked ones, and the login takes guesses until it is found.',
    impact: 'Anybody with such a list is logged in as that user within minutes, and has what the account has.',
    sends:
      'Only with `writes: "create"`: for two names at most that the site shows or answers otherwise than names of nobody (or for "admin") sends a login the 40 most common passwords. It ends at the first sign of a limit. A session starts, as after any login.',
    proves:
      'The pair shows a page or token of a session, twice, where another name with the same password, the name with another one and a random pair are refused. An attacker is logged in.',
    remedy:
      'Refuse passwords that are on lists of leaks (NIST SP 800-63B, `zxcvbn`, the range API of Have I Been Pwned), ask those who have one for another, and limit guesses for each account and address.',
    references: [
      'CWE-521: https://cwe.mitre.org/data/definitions/521.html',
      'WSTG-ATHN-07: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/04-Authentication_Testing/07-Testing_for_Weak_Authentication_Methods',
    ],
  },
});

async function guesses(context: CheckContext, login: Login): Promise<LoginChange[]> {
  if (login.nameField === undefined) return [];
  const names = await accountNames(context, login);
  // `auth.default-credentials` has tried these.
  const { pairs } = await usualAccounts(context, login);
  const tried = new Set(pairs.map((pair) => pair.join('\n')));
  return names.flatMap((name) =>
    commonPasswords.flatMap((password) => {
      const change = tried.has(`${name}\n${password}`) ? undefined : accountChange(login, [name, password]);
      return change ? [{ ...change, what: `the name "${name}" and a common password ("${password}")` }] : [];
    }),
  );
}

/** Names that the login confirms; where it confirms none, the first that the site shows, or the usual one. */
async function accountNames(context: CheckContext, login: Login): Promise<string[]> {
  const all = await namesShown(context, { isMail: login.isMail });
  const shown = likeliest(context, all, maxShown, 'names of users that the site shows');
  const usual = login.isMail ? [] : ['admin'];
  const confirmed: string[] = [];
  for (const name of [...shown, ...usual]) {
    const known = await enumeratedName(context, login, name);
    if (known === 'closed') return [];
    if (known) confirmed.push(name);
  }
  const names = confirmed.length > 0 ? confirmed : [...shown, ...usual].slice(0, 1);
  return likeliest(context, names, maxNames, 'names of accounts');
}
