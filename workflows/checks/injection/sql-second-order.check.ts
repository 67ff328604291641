import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { type AccountEntry, openedAccount } from '../accounts/new-accounts.ts';
import { accountBy } from '../accounts/registrations.ts';
import { defineCheck } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { accountTexts, placeOfTexts } from './account-pages.ts';
import { type KeptRow, keptRows, rowExperiment } from './second-order-rows.ts';

/** A page of an account that may be made of its name, or of further texts of its registration, by a statement. */
type AccountPage = AccountEntry & ({ url: string; fields: string[] } | Pick<KeptRow, 'input' | 'shownAt'>);

const maxPages = 4;

/** A text of an account is stored as data, and becomes part of a statement later. Source: CWE-89, WSTG-INPV-05. */
export const sqlSecondOrder = defineCheck<AccountPage>({
  id: 'injection.sql-second-order',
  title: 'SQL injection (second-order, name or other text of an account)',
  cwe: 89,
  owasp: 'A05:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'deep',
  risk: 'caution',

  async detect(context) {
    const texts = await accountTexts(context);
    if (!('user' in texts)) return texts;
    const { user, registration, login, fields, pages } = texts;
    const entry = { registration, login };
    const urls = likeliest(context, pages, maxPages, 'pages of an account');
    const failing = [[], ...(fields.length > 0 ? [fields] : [])].flatMap((own) => {
      const { text, ...place } = placeOfTexts(registration, own);
      return urls.map((url) => ({ ...place, detail: partOf(text, url), data: { ...entry, url, fields: own } }));
    });
    const { text, ...place } = placeOfTexts(registration, []);
    const rows = (await keptRows(context, user, urls)).map(({ input, shownAt }) => ({
      ...place,
      detail: `${partOf(text, shownAt)} It shows what another account keeps.`,
      data: { ...entry, input, shownAt },
    }));
    return [...failing, ...rows];
  },

  confirm: (_context, { data }) => data && ('input' in data ? rowExperiment(data) : experimentFor(data)),

  explain: {
    description:
      'The name that an account is registered with, or another text of it, is stored as it is, and put into the text of an SQL statement when a page of the account is made.',
    impact:
      'Whoever may open an account writes a part of the statement: with an account for each question an attacker reads what the database holds, accounts and secrets of all users among it.',
    sends:
      'Only with `writes: "create"`: opens accounts whose names, or all whose further texts, have two quotes in them, with an operator of SQL between them and with signs that are none, logs in and opens up to 4 pages; one account keeps a text in up to 2 forms. All stays, recorded before it is sent.',
    proves:
      'A page fails (500 or more) with signs between the quotes that are no operator, and works with one; or an account whose name is another’s and an operator is shown what that one keeps, and with other signs not; twice each with new accounts. What else can be read was not tried.',
    remedy:
      'Bind every value, also those that come out of your own database: `cursor.execute("SELECT … WHERE owner = ?", [name])`, prepared statements, or the parameters of an ORM. A value that was stored safely is no safer when it is put into a statement.',
    references: [
      'CWE-89: https://cwe.mitre.org/data/definitions/89.html',
      'WSTG-INPV-05: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/05-Testing_for_SQL_Injection',
      'OWASP SQL Injection Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/SQL_Injection_Prevention_Cheat_Sheet.html',
    ],
  },
});

const partOf = (text: string, url: string): string =>
  `${text} is part of a statement that ${new URL(url).pathname} sends to the database.`;

/** @param between two quotes */
const quoted = (nonce: string, between: string): string => `‹${nonce}›'${between}'a`;

function experimentFor({
  url,
  fields,
  ...entry
}: AccountEntry & { url: string; fields: string[] }): Experiment | undefined {
  const where = fields.length > 0 ? 'with quotes in its texts' : 'with quotes in its name';
  const looks = (nonce: string, between: string, session: string, note: string, expect: Step['expect']): Step[] => {
    const plain = accountBy(nonce);
    const account = fields.length > 0 ? plain : { ...plain, name: quoted(nonce, between) };
    const extras = fields.map((field) => ({ field, value: quoted(nonce, between) }));
    const opened = openedAccount(entry, { account, session, how: where, extras });
    return opened ? [...opened.steps, { http: { url, headers: opened.headers }, note, expect }] : [];
  };
  const fails = [claim('status', 'greater-than', '499', 'The page fails.')];
  const broken = looks(
    'nonce',
    '|-|',
    'session1',
    'With signs between the quotes that are no operator, the page of the account fails.',
    fails,
  );
  const works = looks('nonce2', '||', 'session2', 'With the operator that joins two texts it works.', [
    claim('status', 'equals', '200'),
  ]);
  const control = looks(
    'nonce3',
    '||',
    'session3',
    'So does that of another account with the operator: quotes alone are no fault.',
    fails,
  );
  return broken.length === 0 ? undefined : { steps: [...broken, ...works], control };
}
