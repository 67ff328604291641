import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { isRegistered } from '../../model/gained-name.ts';
import type { FormSurface } from '../../model/surface.ts';
import { sentFields } from '../../survey/form-inputs.ts';
import { accountLogin } from '../accounts/account-login.ts';
import { furtherAccounts } from '../accounts/further-accounts.ts';
import { newAccountLogin } from '../accounts/new-account-login.ts';
import type { AccountEntry } from '../accounts/new-accounts.ts';
import { openAtOnce } from '../accounts/opened-at-once.ts';
import { accountBy, mailOf, type RegisteredAccount, registrationRequest } from '../accounts/registrations.ts';
import { defineCheck, notApplicable } from '../contract.ts';
import { atMost } from '../inputs/at-most.ts';
import { inputSteps, openInput } from '../inputs/open-input.ts';
import { resetsIn } from '../logins/reset-forms.ts';
import { type KnownAccount, lasting, type ResetWalk, walkReset } from '../logins/reset-walk.ts';
import { submitting } from '../logins/walked-forms.ts';

type OtherReset = AccountEntry & {
  walk: ResetWalk;
  walked: string;
  pageUrl: string;
  /** What the page shows to any user alone, where it does not show the name. */
  marker?: string;
};

const maxResets = 2;
/** What the one that is there was asked for at its registration, nobody has kept. */
const opening = 'An account was registered, to answer what is asked before a new password is set.';

/** The last request for a new password says by a name whose it is, and any other name does as well. Source: CWE-640, WSTG-ATHN-09. */
export const resetOtherAccount = defineCheck<OtherReset>({
  id: 'auth.reset-other-account',
  title: 'Account takeover: the request for a new password names the account',
  cwe: 640,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  depth: 'deep',
  risk: 'caution',
  cost: 12,

  async detect(context) {
    const forms = resetsIn([...context.surface.inputs, ...(context.surface.heldInputs ?? [])]);
    if (forms.length === 0) return notApplicable('No form asks for a new password by the name of an account.');
    const accounts = furtherAccounts(context, 'it sets new passwords of accounts that it opens');
    if (!('user' in accounts)) return accounts;
    const { user, recipe } = accounts;
    const { text } = await context.http.get(user.checkUrl, { fresh: true, jar: user.jar, headers: user.headers });
    if (user.userName === undefined || !isRegistered(user.name))
      return notApplicable('Nobody has registered a name to log in by.');
    const marker = text.includes(user.userName) ? {} : { marker: user.marker };
    const registration = await openInput(context, accounts.registration);
    const login = await accountLogin(context, user, recipe);
    const found = [];
    for (const form of atMost(context, forms, maxResets, 'forms for a new password')) {
      const known = new Map(registration.others.map((other) => [other.name, other.value]));
      const walkAs = async (name: string): Promise<{ walked: string; walk: ResetWalk } | undefined> => {
        const asked = /mail/i.test(form.parameter) && !name.includes('@') ? mailOf(name) : name;
        const walk = await walkReset(context, form, { name: asked, known } satisfies KnownAccount);
        return walk && { walked: name, walk };
      };
      const walking =
        (await walkAs(user.userName)) ??
        (await walkAs((await openAtOnce(context, accounts.registration, opening)).name));
      if (!walking) continue;
      const { action } = walking.walk.form;
      found.push({
        location: { url: action, method: 'POST', parameter: walking.walk.nameField, parameterIn: 'body' as const },
        route: new URL(action).pathname,
        detail: 'An account of the audit asked for a new password, and set that of another account by its name.',
        data: { registration, login, ...walking, pageUrl: user.checkUrl, ...marker },
      });
    }
    return found;
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The pages for a new password hand the name of the account from one to the next, in a field that nobody sees, and the last one goes by that name: what was asked before (a question, a code) was asked of another account, or is not looked at.',
    impact: 'Anybody sets a new password for any account whose name they know, and is its owner.',
    sends:
      'Only with `writes: "create"`: registers accounts of its own, walks through the pages for a new password as one of them, and sets a new password under the name of another; then logs in with it. Up to ten accounts stay.',
    proves:
      'The other account logs in with the new password, and a page shows its name, or what only users are shown, twice; where the last request names the account that has walked, it does not. An attacker takes over any account whose name they know.',
    remedy:
      'Keep on the server, in the session or with a random token of one use, for which account the question was answered or the code was sent, and set the password of that account alone. Take no name from the last request.',
    references: [
      'CWE-640: https://cwe.mitre.org/data/definitions/640.html',
      'OWASP Forgot Password Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Forgot_Password_Cheat_Sheet.html',
      'WSTG-ATHN-09: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/04-Authentication_Testing/09-Testing_for_Weak_Password_Change_or_Reset_Functionalities',
    ],
  },
});

const chosen = 'Cc3-‹nonce9›';

function experimentFor(data: OtherReset): Experiment | undefined {
  const { registration, login: known, walk, walked, pageUrl, marker } = data;
  const register = (account: RegisteredAccount, note: string): Step[] =>
    inputSteps(
      registration,
      {
        ...registrationRequest(registration, account),
        secrets: [account.password],
        lasting: {
          description: 'An account was registered, to see whether another one can set its password.',
          place: registration.page?.url ?? registration.url,
          registers: true as const,
        },
      },
      { note, expect: [claim('status', 'less-than', '400')] },
    );
  /** The way of one account, whose last request names this one, and a login as the other. */
  const takeOver = (walker: string, named: string, other: string, session: string): Step[] | undefined => {
    const login = newAccountLogin(known, { ...accountBy(other), password: chosen }, session);
    const steps = walk.steps.map((step) => renamed(step, (text) => text.replaceAll(walked, `‹${walker}›`)));
    return (
      login && [
        ...register(accountBy(walker), 'Somebody registers.'),
        ...register(accountBy(other), 'Somebody else registers.'),
        ...steps,
        {
          http: { ...setting(walk, walked, named), secrets: [chosen] },
          note:
            named === other ? 'The last request names the other account.' : 'The last request names its own account.',
          expect: [claim('status', 'less-than', '500')],
          hasEffect: true,
        },
        ...login.steps.map((step, index) =>
          index === login.steps.length - 1
            ? {
                ...step,
                note: 'The other account logs in with the new password.',
                expect: [claim('status', 'present')],
                // A refused login may set no cookie.
                mayEndControl: true as const,
              }
            : step,
        ),
        {
          http: { url: pageUrl, headers: login.headers },
          note:
            marker === undefined ? 'The page shows whose session it is.' : 'The page shows what only users are shown.',
          expect: [claim('status', 'equals', '200'), claim('body', 'contains', marker ?? `‹${other}›`)],
        },
      ]
    );
  };
  const taken = takeOver('nonce', 'nonce2', 'nonce2', 'session1');
  const own = takeOver('nonce5', 'nonce5', 'nonce6', 'session2');
  return taken && own && { steps: taken, control: own };
}

/** The step of another account. */
function renamed(step: Step, put: (text: string) => string): Step {
  if (!('http' in step)) return step;
  const { http } = step;
  return {
    ...step,
    http: { ...http, url: put(http.url), ...(http.body === undefined ? {} : { body: put(http.body) }) },
  };
}

/** The form for the new password under the name of this account, with the cookies of whoever has walked. */
function setting({ form, tokens, cookies }: ResetWalk, walked: string, named: string) {
  const valueIn = ({ type, value }: FormSurface['fields'][number]): string =>
    type === 'password'
      ? chosen
      : [walked, mailOf(walked)].includes(value)
        ? value.replace(walked, `‹${named}›`)
        : value;
  const http = submitting(form, tokens, new Map(sentFields(form.fields).map((field) => [field.name, valueIn(field)])));
  return {
    ...http,
    lasting: lasting(form.pageUrl),
    headers: [...(http.headers ?? []), ...(cookies === '' ? [] : [['Cookie', cookies] as const])],
  };
}
