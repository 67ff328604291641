import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import type { LoginRecipe } from '../../model/login-recipe.ts';
import { accountLogin } from '../accounts/account-login.ts';
import { furtherAccounts } from '../accounts/further-accounts.ts';
import { newAccountLogin } from '../accounts/new-account-login.ts';
import type { AccountEntry } from '../accounts/new-accounts.ts';
import { mailOf, type RegisteredAccount, registrationRequest } from '../accounts/registrations.ts';
import { defineCheck, notApplicable } from '../contract.ts';
import { inputSteps, openInput } from '../inputs/open-input.ts';

/** How the same name is written again, and how a page shows the first account: what stands before or behind the other is no space. */
type RepeatedName = { what: string; write(name: string): string; shown(name: string): string };
type Duplicate = AccountEntry & { spelling: RepeatedName; pageUrl: string };

const spellings: readonly RepeatedName[] = [
  { what: 'a space behind it', write: (name) => `${name} `, shown: (name) => `${name}[^\\s\\w]` },
  { what: 'a space before it', write: (name) => ` ${name}`, shown: (name) => `[^\\s\\w]${name}|\\w ${name}\\b` },
  { what: 'a capital letter', write: (name) => name.replace(/^a/, 'A'), shown: (name) => `\\b${name}\\b` },
];

/** A name that somebody has is registered again in another spelling, and opens their account. Source: CWE-289, WSTG-IDNT-02. */
export const duplicateAccount = defineCheck<Duplicate>({
  id: 'access.duplicate-account',
  title: 'Account takeover: a name can be registered again in another spelling',
  cwe: 289,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  depth: 'deep',
  risk: 'caution',
  cost: 20,

  async detect(context) {
    const accounts = furtherAccounts(context, 'it opens accounts', 'reads-only');
    if (!('user' in accounts)) return accounts;
    const { user, recipe, registration: found } = accounts;
    const { text } = await context.http.get(user.checkUrl, { fresh: true, jar: user.jar, headers: user.headers });
    if (logsInByMail(recipe) || user.userName === undefined || !text.includes(user.userName))
      return notApplicable('No page shows the name that somebody has registered and logs in by.');
    const login = await accountLogin(context, user, recipe);
    const entry = { registration: await openInput(context, found), login, pageUrl: user.checkUrl };
    return spellings.map((spelling) => ({
      location: { url: found.url, method: 'POST', parameter: found.parameter, parameterIn: 'body' as const },
      route: found.route,
      detail: `A name that an account had was registered again with ${spelling.what}, and the second password opened the first account.`,
      data: { ...entry, spelling },
    }));
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The registration compares a new name with those that there are as it is written, and the login finds accounts in another way: without spaces around the name, or whatever the case of its letters.',
    impact:
      'Anybody registers the name of the administrator or of another user in another spelling, with a password of their own, and is logged in as them.',
    sends:
      'Only with `writes: "create"`: registers accounts under random names, and each name again with a space behind or before it or a capital letter; then logs in by the first spelling with the second password. Up to eight accounts stay.',
    proves:
      'The name of the first account, with the password of the second, opens a page that shows it as the first one is written, twice; one who has registered another name with that password is not shown it. An attacker takes over any account whose name they know.',
    remedy:
      'Bring names into one form (`trim`, NFKC, small letters) before they are compared, stored and looked up, and put a unique index on that form.',
    references: [
      'CWE-289: https://cwe.mitre.org/data/definitions/289.html',
      'WSTG-IDNT-02: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/03-Identity_Management_Testing/02-Test_User_Registration_Process',
    ],
  },
});

const logsInByMail = ({ steps }: LoginRecipe): boolean =>
  steps.some(({ fields }) => fields.some(({ name, holds }) => holds === 'username' && /mail/i.test(name)));

/** What is left for a capital letter: nonces have small ones. */
const nameOf = (nonce: string): string => `a‹${nonce}›`;

function experimentFor({ registration, login: known, spelling, pageUrl }: Duplicate): Experiment | undefined {
  const register = (account: RegisteredAccount, note: string): Step[] => {
    const http = {
      ...registrationRequest(registration, account),
      secrets: [account.password],
      lasting: {
        description: `An account was registered, to see whether a name can be registered again with ${spelling.what}.`,
        place: registration.page?.url ?? registration.url,
        registers: true as const,
      },
    };
    return inputSteps(registration, http, { note, expect: [claim('status', 'less-than', '400')] });
  };
  /** Logs in by the name, and looks for that of the first account. */
  const enter = (name: string, session: string, note: string): Step[] | undefined => {
    const login = newAccountLogin(known, { name, mail: mailOf(name), password: 'Bb2-‹nonce2›' }, session);
    const shown = claim('body', 'matches', spelling.shown(nameOf('nonce')), 'The first name, as it was registered.');
    return (
      login && [
        ...login.steps.map((step, index) => (index === login.steps.length - 1 ? { ...step, note } : step)),
        {
          http: { url: pageUrl, headers: login.headers },
          note: 'The page shows whose session it is.',
          expect: [claim('status', 'equals', '200'), shown],
        },
      ]
    );
  };
  const account = (name: string, nonce: string, password: string) => ({ name, mail: mailOf(`b‹${nonce}›`), password });
  const first = register(account(nameOf('nonce'), 'nonce3', 'Aa1-‹nonce›'), 'Somebody registers a name.');
  const again = `Somebody else registers it again with ${spelling.what}, and another password.`;
  const second = register(account(spelling.write(nameOf('nonce')), 'nonce4', 'Bb2-‹nonce2›'), again);
  const other = register(
    account(nameOf('nonce5'), 'nonce6', 'Bb2-‹nonce2›'),
    'Somebody registers another name with that password.',
  );
  const taken = enter(nameOf('nonce'), 'session1', 'They log in by the first name with the second password.');
  const own = enter(nameOf('nonce5'), 'session2', 'They log in by that name.');
  return taken && own && { steps: [...first, ...second, ...taken], control: [...other, ...own] };
}
