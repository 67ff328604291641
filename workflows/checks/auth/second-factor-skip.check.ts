import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { onlyIn } from '../decisions/difference.ts';
import { isRefusing } from '../decisions/refused-page.ts';
import { likeliest } from '../inputs/at-most.ts';
import { openInput } from '../inputs/open-input.ts';
import { accountsShownBy } from '../logins/accounts-shown.ts';
import { attempt, attemptSteps, type LoginAttempt, pageAfter } from '../logins/attempt.ts';
import { asksForCode, codeWords } from '../logins/code-page.ts';
import { accountChange } from '../logins/default-accounts.ts';
import { type Login, loginsOf } from '../logins/login.ts';
import { asksForPassword } from '../logins/signs.ts';

type SkippedFactor = {
  login: Login;
  /** With a password that is wrong, and with the right one. */
  refused: LoginAttempt;
  entered: LoginAttempt;
  /** Where the code is asked for; the answer to the password itself when not given. */
  codeUrl: string | undefined;
  pageUrl: string;
  /** What the page alone shows, the name of the account among it. */
  marker: string;
};

const maxAccounts = 2;
const maxPages = 24;
const usual =
  'account accounts dashboard profile home me settings overview portal members user my-account app inbox vault admin panel welcome main private'.split(
    ' ',
  );

/** The password alone opens what a second factor is meant to guard. Source: CWE-308, WSTG-ATHN-04, WSTG-ATHN-11. */
export const secondFactorSkip = defineCheck<SkippedFactor>({
  id: 'auth.second-factor-skip',
  title: 'Two-factor authentication bypass: the session is valid before the code',
  cwe: 308,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:N',
  depth: 'deep',
  risk: 'safe',
  triesLogins: true,
  cost: 6,

  async detect(context) {
    const logins = loginsOf(context.surface).filter(({ nameField }) => nameField !== undefined);
    if (logins.length === 0) return notApplicable('The site has no login by name and password.');
    const found = [];
    for (const each of logins) {
      const data = await skippedAt(context, { ...each, input: await openInput(context, each.input) });
      if (!data) continue;
      const { url, route } = data.login.input;
      const { pathname } = new URL(data.pageUrl);
      const detail = `${pathname} was shown to the account of a page before it had sent the code that it was asked for.`;
      found.push({ location: { url, method: 'POST' }, route, detail, data });
    }
    return found;
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The login asks for a code after the password, and the session is that of the user already: whoever leaves the page of the code and asks for another one is shown it.',
    impact:
      'The second factor protects nothing: a password that was guessed, leaked or caught is enough for the account, which is what the code was meant to prevent.',
    sends:
      'Logs in with at most two accounts that a page of the site shows for everybody to read. Where a code is asked for, none is sent: up to 24 addresses of members are requested in that session and, where one answers, after a wrong password.',
    proves:
      'In one session the password leads to a page that asks for a code, and another page shows the account by its name, twice; after a wrong password it is refused. An attacker with the password alone reads it. Offers to set up a second factor do not count.',
    remedy:
      'Keep after the password only that it was right, in a session of its own that opens nothing but the page of the code; make the session of the user when the code was right, under a new identifier. Let one place decide on all pages whether both factors were given (Django `OTPMiddleware` with `otp_required`, Spring Security’s factors, a middleware of Express before all routes).',
    references: [
      'CWE-308: https://cwe.mitre.org/data/definitions/308.html',
      'WSTG-ATHN-11: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/04-Authentication_Testing/11-Testing_Multi-Factor_Authentication',
    ],
  },
});

async function skippedAt(context: CheckContext, login: Login): Promise<SkippedFactor | undefined> {
  const accounts = await accountsShownBy(context, login);
  for (const { pair } of likeliest(context, accounts, maxAccounts, 'accounts that pages show')) {
    const change = accountChange(login, pair);
    if (!change) continue;
    const entered = await attempt(context, login, change.changed, 'entered');
    const codeUrl = redirectOf(entered.exchange);
    const asked = codeUrl === undefined ? entered.exchange : await pageAfter(context, entered, codeUrl);
    if (!asked || !asksForCode(asked)) continue;
    const refused = await attempt(context, login, change.wrong ?? change.twin, 'refused');
    for (const pageUrl of privateAddresses(context, codeUrl)) {
      const shown = await pageAfter(context, entered, pageUrl);
      if (shown?.status !== 200 || asksForCode(shown) || asksForPassword(shown)) continue;
      const before = await pageAfter(context, refused, pageUrl);
      if (!before || !(isRefusing(before) || leadsBack(context, login, before))) continue;
      const marker = onlyIn([shown], [before, asked]).find((piece) => names(piece, pair[0]));
      if (marker !== undefined) return { login, refused, entered, codeUrl, pageUrl, marker };
    }
  }
  return undefined;
}

const names = (piece: string, name: string): boolean => piece.toLowerCase().includes(name.toLowerCase());

/** Whoever is nobody is sent to where this login is, whatever that page is called. */
function leadsBack({ surface }: CheckContext, { input }: Login, answer: Exchange): boolean {
  const target = redirectOf(answer)?.replace(/[?#].*$/s, '');
  const { href } = new URL(answer.request.url);
  return target !== undefined && target !== href && [surface.url, input.page?.url].includes(target);
}

function redirectOf({ status, header, request }: Exchange): string | undefined {
  const target = status >= 300 && status < 400 ? URL.parse(header('location') ?? '', request.url) : null;
  return target?.origin === new URL(request.url).origin ? target.href : undefined;
}

/** Pages that a visitor was refused, and usual addresses of members; never that of the code. */
function privateAddresses(context: CheckContext, codeUrl: string | undefined): string[] {
  const { url, pages } = context.surface;
  const refused = pages.flatMap((page) => (page.status === 401 || page.status === 403 ? page.url : []));
  const all = [...refused, ...usual.map((name) => new URL(`/${name}`, url).href)].filter((each) => each !== codeUrl);
  return likeliest(context, [...new Set(all)], maxPages, 'addresses of members');
}

function experimentFor({ login, refused, entered, codeUrl, pageUrl, marker }: SkippedFactor): Experiment {
  const shown = [claim('status', 'equals', '200'), claim('body', 'contains', marker, 'What only the user is shown.')];
  const asked = [claim('status', 'equals', '200'), claim('body', 'matches', codeWords, 'A code is asked for.')];
  const note = 'The name and the password of an account that a page shows are taken.';
  const looking: Step = {
    http: { url: pageUrl, ...(entered.cookies && { headers: [['Cookie', entered.cookies] as const] }) },
    note: 'Without a code the page of the user is shown in that session.',
    expect: shown,
  };
  const asking = attemptSteps(login, entered, {
    note,
    page: { url: codeUrl ?? login.input.url, note: 'The session is asked for a code.' },
    expect: asked,
    isShown: true,
  });
  return {
    steps: [...(codeUrl === undefined ? withCaptures(asking, asked) : asking), looking],
    control: attemptSteps(login, refused, {
      note: 'The same with a password that is wrong.',
      page: { url: pageUrl, note: 'The page of the user is refused.' },
      expect: shown,
    }),
  };
}

/** The answer to the password asks for the code itself: there is no page to ask for. */
const withCaptures = (steps: readonly Step[], expect: Step['expect']): Step[] =>
  steps.slice(0, -1).map((step, index, all) => (index === all.length - 1 ? { ...step, expect, isShown: true } : step));
