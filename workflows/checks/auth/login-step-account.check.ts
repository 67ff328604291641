import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { type CheckContext, defineCheck, notApplicable, notRun } from '../contract.ts';
import { onlyIn } from '../decisions/difference.ts';
import { likeliest } from '../inputs/at-most.ts';
import { accountsShownBy } from '../logins/accounts-shown.ts';
import { loginsOf } from '../logins/login.ts';
import { goOn, mayBeRefused, pageAfterwards, targetOf, type WalkingAccount, walkLogin } from '../logins/login-walk.ts';
import { nameFirstForms } from '../logins/name-first.ts';
import { namesShown } from '../logins/names-shown.ts';
import { asksForPassword } from '../logins/signs.ts';

type OtherLogin = {
  steps: Step[];
  control: Step[];
  landing: string;
  cookies: string;
  other: string;
  marker: string;
  /** Where the name stands. */
  field: string;
  url: string;
};

const maxAccounts = 2;
const maxNames = 4;
const usualNames = ['admin', 'administrator'];

/** The last page of a login says by a name who logs in, and any other name does as well. Source: CWE-302, WSTG-ATHN-04. */
export const loginStepAccount = defineCheck<OtherLogin>({
  id: 'auth.login-step-account',
  title: 'Authentication bypass: the last step of the login names the account',
  cwe: 302,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:N',
  depth: 'deep',
  risk: 'caution',
  cost: 20,

  async detect(context) {
    const pages = loginPages(context);
    if (pages.length === 0) return notApplicable('The site has no login by name and password.');
    if (context.writes === 'none') return notRun('would_write', 'it goes through logins: the scope allows no writes');
    const found = [];
    for (const pageUrl of pages)
      for (const account of await accountsFor(context, pageUrl)) {
        const data: OtherLogin | undefined =
          found.length > 0 ? undefined : await otherLoginBy(context, pageUrl, account);
        if (!data) continue;
        found.push({
          location: { url: data.url, method: 'POST', parameter: data.field, parameterIn: 'body' as const },
          route: new URL(data.url).pathname,
          detail: `The password of one account opened that of "${data.other}", whose name stood in the last form.`,
          data,
        });
      }
    return found;
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The login takes several pages. The last one holds the name of the account in a field that nobody sees, and opens the account of that name; what was asked for before, or with it, was checked for another account.',
    impact: 'Whoever has any account logs in as everybody whose name they know, administrators among them.',
    sends:
      'Logs in as a test identity, or an account that a page shows, page by page; the last form is sent once with each of up to four other names that the site shows, and with one that nobody has. Nothing is done in their sessions but to open the page after the login.',
    proves:
      'With the password of one account and the name of another in the last form, the page after the login shows the other name, twice; whoever gives that name from the first page on, with the same password, is not shown it. A page that repeats any name is no proof.',
    remedy:
      'Keep on the server, in the session of the login, for which account each step was passed, and open that account alone. Take no name from the last request.',
    references: [
      'CWE-302: https://cwe.mitre.org/data/definitions/302.html',
      'WSTG-ATHN-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/04-Authentication_Testing/04-Testing_for_Bypassing_Authentication_Schema',
    ],
  },
});

const loginPages = ({ surface }: CheckContext): string[] => [
  ...new Set([
    ...nameFirstForms(surface).map(({ pageUrl }) => pageUrl),
    ...loginsOf(surface).flatMap(({ nameField, input }) => (nameField && input.page ? input.page.url : [])),
  ]),
];

/** Test identities that type in a password, and accounts that pages show. */
async function accountsFor(context: CheckContext, pageUrl: string): Promise<WalkingAccount[]> {
  const own = Object.values(context.identities).flatMap(({ userName, password, role }): WalkingAccount[] => {
    const known = role === 'admin' ? undefined : password?.();
    return userName !== undefined && known ? [{ name: userName, password: known.value, isSecret: known.isSecret }] : [];
  });
  const place = { input: { url: pageUrl, page: { url: pageUrl, tokens: [] } }, isMail: false };
  const shown = (await accountsShownBy(context, place)).map(({ pair: [name, password] }) => ({
    ...{ name, password, isSecret: false },
  }));
  const all = [...new Map([...shown, ...own].map((each) => [each.name, each])).values()];
  return likeliest(context, all.reverse(), maxAccounts, 'accounts that log in page by page');
}

async function otherLoginBy(
  context: CheckContext,
  pageUrl: string,
  account: WalkingAccount,
): Promise<OtherLogin | undefined> {
  const plain = await walkLogin(context, pageUrl, account);
  if (!('form' in plain)) return undefined;
  const { form } = plain;
  const field = form.fields.find(({ type, value }) => type === 'hidden' && value === account.name)?.name;
  const answer = field === undefined ? undefined : await goOn(plain.visit, plain, account);
  const landing = answer && (targetOf(answer) ?? answer.request.url);
  const own = answer && (await pageAfterwards(plain.visit, answer));
  if (field === undefined || !landing || !own || !isInside(own, account.name)) return undefined;
  const named = async (name: string) => {
    const walk = await walkLogin(context, pageUrl, account);
    const sent = 'form' in walk ? await goOn(walk.visit, walk, account, { field, name }) : undefined;
    const [steps, cookies] = [[...walk.visit.steps()], walk.visit.cookies()];
    const isLedOn = sent !== undefined && targetOf(sent) === targetOf(answer);
    return { steps, cookies, shown: isLedOn ? await pageAfterwards(walk.visit, sent) : undefined };
  };
  const invented = context.nonce();
  const nobody = (await named(invented)).shown;
  if (nobody?.text.includes(invented)) return undefined;
  for (const other of await otherNames(context, account.name)) {
    const { steps, cookies, shown } = await named(other);
    if (!shown || !isInside(shown, other)) continue;
    const honest = await walkLogin(context, pageUrl, { ...account, name: other });
    const sent = 'form' in honest ? await goOn(honest.visit, honest, { ...account, name: other }) : undefined;
    const refused = sent && (await pageAfterwards(honest.visit, sent));
    const others = [own, ...(nobody ? [nobody] : []), ...(refused ? [refused] : [])];
    const marker = onlyIn([shown], others).find((piece) => piece.toLowerCase().includes(other.toLowerCase()));
    if (marker === undefined) continue;
    const control = [...mayBeRefused(honest.visit.steps()), looking(landing, honest.visit.cookies(), marker)];
    return { steps, control, landing, cookies, other, marker, field, url: form.action };
  }
  return undefined;
}

const isInside = (page: Exchange, name: string): boolean =>
  page.status === 200 && !asksForPassword(page) && page.text.toLowerCase().includes(name.toLowerCase());

/** Who else may have an account: other identities, accounts and people that pages show, and administrators. */
async function otherNames(context: CheckContext, own: string): Promise<string[]> {
  const isMail = own.includes('@');
  const identities = Object.values(context.identities).flatMap(({ userName }) => userName ?? []);
  const shown = await namesShown(context, { isMail });
  const names = [...identities, ...(isMail ? [] : usualNames), ...shown].filter((name) => name !== own);
  return likeliest(context, [...new Set(names)], maxNames, 'names of others at a login');
}

const looking = (url: string, cookies: string, marker: string): Step => ({
  http: { url, ...(cookies === '' ? {} : { headers: [['Cookie', cookies] as const] }) },
  note: 'The page after the login shows whose session it is.',
  expect: [
    claim('status', 'equals', '200'),
    claim('body', 'contains', marker, 'What only the owner of the name is shown.'),
  ],
});

function experimentFor({ steps, control, landing, cookies, marker }: OtherLogin): Experiment {
  return { steps: [...steps, looking(landing, cookies, marker)], control };
}
