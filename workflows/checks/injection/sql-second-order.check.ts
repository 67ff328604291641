import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import type { Identity } from '../../model/identity.ts';
import { partRoute } from '../../probe/program-parts.ts';
import { accountLogin } from '../access/account-login.ts';
import { furtherAccounts } from '../access/further-accounts.ts';
import { type AccountEntry, openedAccount } from '../access/new-accounts.ts';
import { mailOf, type RegisteredAccount } from '../access/registrations.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { openInput } from '../inputs/open-input.ts';

/** A page of an account that may be made of its name by a statement. */
type AccountPage = AccountEntry & { url: string };

const maxPages = 4;

/** The name of an account is stored as data, and becomes part of a statement later. Source: CWE-89, WSTG-INPV-05. */
export const sqlSecondOrder = defineCheck<AccountPage>({
  id: 'injection.sql-second-order',
  title: 'SQL injection (second-order, name of an account)',
  cwe: 89,
  owasp: 'A05:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'deep',
  risk: 'caution',

  async detect(context) {
    const accounts = furtherAccounts(context, 'it opens accounts, which stay', 'reads-only');
    if (!('user' in accounts)) return accounts;
    const { user, recipe } = accounts;
    const registration = await openInput(context, accounts.registration);
    const login = await accountLogin(context, user, recipe);
    return likeliest(context, pagesOf(context, user), maxPages, 'pages of an account').map((url) => ({
      location: {
        url: registration.url,
        method: 'POST',
        parameter: registration.parameter,
        parameterIn: 'body' as const,
      },
      route: registration.route,
      detail: `The name of an account is part of a statement that ${new URL(url).pathname} sends to the database.`,
      data: { registration, login, url },
    }));
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The name that an account is registered with is stored as it is, and put into the text of an SQL statement when a page of the account is made.',
    impact:
      'Whoever may open an account writes a part of the statement: with a name for each question an attacker reads what the database holds, accounts and secrets of all users among it.',
    sends:
      'Only with `writes: "create"`: opens accounts whose names have two quotes in them, once with an operator of SQL between them and once with signs that are none, logs in and opens up to 4 pages. The accounts stay, recorded before they are sent.',
    proves:
      'The page of an account answers with an error of the server (500 or more) when the signs between the quotes are no operator, and works when they join two texts, twice each with new accounts: the name is parsed as SQL. What can be read with it was not tried.',
    remedy:
      'Bind every value, also those that come out of your own database: `cursor.execute("SELECT … WHERE owner = ?", [name])`, prepared statements, or the parameters of an ORM. A value that was stored safely is no safer when it is put into a statement.',
    references: [
      'CWE-89: https://cwe.mitre.org/data/definitions/89.html',
      'WSTG-INPV-05: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/05-Testing_for_SQL_Injection',
      'OWASP SQL Injection Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/SQL_Injection_Prevention_Cheat_Sheet.html',
    ],
  },
});

/** Pages that an account is shown and nobody else, one of each route. */
function pagesOf({ surface, surfaces }: CheckContext, { name, checkUrl }: Identity): string[] {
  const open = new Set(surface.pages.filter(({ status }) => status === 200).map(({ url }) => url));
  const own = (surfaces[name]?.pages ?? []).filter(
    ({ url, status, contentType }) => status === 200 && /html|json/i.test(contentType) && !open.has(url),
  );
  const urls = [checkUrl, ...own.map(({ url }) => url)].map((url) => url.replace(/#.*$/s, ''));
  return [...new Map(urls.toReversed().map((url) => [partRoute(url), url])).values()].toReversed();
}

/** @param between two quotes of the name */
const accountNamed = (nonce: string, between: string): RegisteredAccount => ({
  name: `‹${nonce}›'${between}'a`,
  mail: mailOf(`‹${nonce}›`),
  password: `Aa1-‹${nonce}›`,
});

function experimentFor({ url, ...entry }: AccountPage): Experiment | undefined {
  const looks = (account: RegisteredAccount, session: string, note: string, expect: Step['expect']): Step[] => {
    const opened = openedAccount(entry, { account, session, how: 'with quotes in its name' });
    return opened ? [...opened.steps, { http: { url, headers: opened.headers }, note, expect }] : [];
  };
  const fails = [claim('status', 'greater-than', '499', 'The page fails.')];
  const broken = looks(
    accountNamed('nonce', '|-|'),
    'session1',
    'With signs between the quotes that are no operator, the page of the account fails.',
    fails,
  );
  const works = looks(accountNamed('nonce2', '||'), 'session2', 'With the operator that joins two texts it works.', [
    claim('status', 'equals', '200'),
  ]);
  const control = looks(
    accountNamed('nonce3', '||'),
    'session3',
    'So does that of another account with the operator: quotes alone are no fault.',
    fails,
  );
  return broken.length === 0 ? undefined : { steps: [...broken, ...works], control };
}
