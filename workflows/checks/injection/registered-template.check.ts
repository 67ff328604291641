import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { type AccountEntry, openedAccount } from '../accounts/new-accounts.ts';
import { accountBy } from '../accounts/registrations.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { accountTexts, placeOfTexts } from './account-pages.ts';

/** A page of an account that may be a template with a text of its registration in it. */
type AccountTemplate = AccountEntry & { url: string; fields: string[]; begins: readonly Expression[] };
type Expression = readonly [begin: string, end: string];

const maxPages = 2;
/** What stands together: a language of one group takes the rest of the group for text. */
const groups: readonly (readonly Expression[])[] = [
  [
    ['{{', '}}'],
    ['${', '}'],
    ['#{', '}'],
  ],
  [
    ['<%=', '%>'],
    ['@(', ')'],
  ],
];

/** A text that an account is registered with becomes part of a template of its own pages. Source: CWE-1336, WSTG-INPV-18. */
export const registeredTemplate = defineCheck<AccountTemplate>({
  id: 'injection.registered-template',
  weakness: 'injection.stored-template',
  title: 'Server-side template injection (SSTI), stored',
  cwe: 1336,
  owasp: 'A05:2025',
  // What was shown is arithmetic, as with templates that are evaluated at once.
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H',
  depth: 'deep',
  risk: 'caution',
  cost: 30,

  async detect(context) {
    const texts = await accountTexts(context);
    if (!('user' in texts)) return texts;
    const { user, registration, login, fields, pages } = texts;
    const ofName = await showing(context, user.name, user.userName, pages);
    const places = [
      ...(fields.length > 0
        ? likeliest(context, pages, maxPages, 'pages of an account').map((url) => ({ url, fields }))
        : []),
      ...likeliest(context, ofName, maxPages, 'pages with the name of an account').map((url) => ({ url, fields: [] })),
    ];
    return places.flatMap(({ url, fields }) => {
      const { text, ...place } = placeOfTexts(registration, fields);
      const detail = `${text} is part of the template of ${new URL(url).pathname}, which shows it calculated.`;
      return groups.map((begins) => ({ ...place, detail, data: { registration, login, url, fields, begins } }));
    });
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'A text that an account is registered with becomes part of a template before a page of the account is made of it: an expression in it is shown there as its result, the product of two numbers that were chosen by chance.',
    impact:
      'Most languages for templates reach the objects of the application, and many the operating system: whoever may open an account can read settings and keys, and often run commands on the server.',
    sends:
      'Only with `writes: "create"`: opens accounts whose names, or all whose further texts, have products of two random numbers in the syntax of some ten template languages, logs in and opens up to 2 pages. The accounts stay, recorded before they are sent.',
    proves:
      'A page of the account has the product in place of the expression, twice, each with a new account; that of an account registered with two numbers and no signs of a language does not. That an attacker gets from there to files or code is not shown.',
    remedy:
      'Give stored texts to templates as data: `render_template("account.html", motto=user.motto)`, never `render_template_string("<p>" + user.motto)` (Flask), `ejs.render(text + user.name)` or `createTemplate($text)` (Twig).',
    references: [
      'CWE-1336: https://cwe.mitre.org/data/definitions/1336.html',
      'WSTG-INPV-18: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/18-Testing_for_Server-side_Template_Injection',
    ],
  },
});

/** Those of the pages that say what the account is called. */
async function showing(context: CheckContext, identity: string, name = '', urls: readonly string[]): Promise<string[]> {
  const word = name.replace(/@.*$/s, '');
  const shown: string[] = [];
  for (const url of word === '' ? [] : urls) if ((await context.as(identity, url)).text.includes(word)) shown.push(url);
  return shown;
}

function experimentFor({ url, fields, begins, ...entry }: AccountTemplate): Experiment | undefined {
  const how = fields.length > 0 ? 'with an expression in its texts' : 'with an expression in its name';
  const looks = (nonce: string, value: string, session: string, how: string, result: string, note: string): Step[] => {
    const plain = accountBy(nonce);
    const account = fields.length > 0 ? plain : { ...plain, name: `‹${nonce}›${value}` };
    const extras = fields.map((field) => ({ field, value }));
    const opened = openedAccount(entry, { account, session, how, extras });
    const expect = [claim('status', 'equals', '200'), claim('body', 'contains', result, 'The product is shown.')];
    return opened ? [...opened.steps, { http: { url, headers: opened.headers }, note, expect }] : [];
  };
  const steps = looks(
    'nonce',
    begins.map(([begin, end]) => `${begin}‹int›*‹int2›${end}`).join(''),
    'session1',
    how,
    '‹product:int:int2›',
    'Its page shows the product of the two numbers.',
  );
  const control = looks(
    'nonce2',
    '‹int3›*‹int4›',
    'session2',
    'with two other numbers and no signs of a language',
    '‹product:int3:int4›',
    'Nothing is calculated.',
  );
  return steps.length === 0 ? undefined : { steps, control };
}
