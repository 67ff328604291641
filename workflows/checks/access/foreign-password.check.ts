import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import type { Identity } from '../../model/identity.ts';
import { accountLogin } from '../accounts/account-login.ts';
import { newAccountLogin } from '../accounts/new-account-login.ts';
import { type AccountEntry, openedAccount } from '../accounts/new-accounts.ts';
import { labelledInputs } from '../accounts/registering-labels.ts';
import { accountBy, registrationsIn } from '../accounts/registrations.ts';
import { type CheckContext, defineCheck, notApplicable, notRun } from '../contract.ts';
import { atMost } from '../inputs/at-most.ts';
import { openInput } from '../inputs/open-input.ts';
import { byRole } from '../sessions/roles.ts';
import { lacksLogin } from '../sessions/site-login.ts';
import { type PasswordRequest, passwordRequests } from './password-requests.ts';

type ForeignPassword = AccountEntry & {
  request: PasswordRequest;
  /** The page that shows whose session it is. */
  shownAt: string;
};

const maxRequests = 3;

/** A user sets the password of another account, which the request names. Source: CWE-639, API1:2023, WSTG-ATHZ-04. */
export const foreignPassword = defineCheck<ForeignPassword>({
  id: 'access.foreign-password',
  title: 'IDOR: the password of other accounts can be set (account takeover)',
  cwe: 639,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:N',
  depth: 'deep',
  risk: 'caution',
  cost: 12,

  async detect(context) {
    const user = byRole(context).users.find(({ recipe, userName }) => recipe && userName !== undefined);
    if (!user?.recipe || user.userName === undefined)
      return lacksLogin(context, 'an identity without administrator rights that logs in by name and password');
    const surfaces = [context.surfaces[user.name] ?? context.surface, context.surface];
    const [found] = registrationsIn(surfaces.flatMap(labelledInputs));
    if (!found) return notApplicable('Nothing was seen by which somebody opens an account.');
    const { jar, headers, checkUrl, userName } = user;
    const answer = await context.http.get(checkUrl, { fresh: true, jar, headers });
    const requests = passwordRequests(surfaces, { userName, answer });
    if (requests.length === 0) return notApplicable('No request sets a password of an account that it names.');
    const showing = await withNames(context, user, requests);
    if (showing.length === 0) return notApplicable('No page shows the name that somebody logs in by.');
    if (context.writes !== 'create')
      return notRun(
        'would_write',
        'it sets passwords of accounts that it opens: the scope of the domain has to say "writes": "create"',
      );
    const login = await accountLogin(context, user, user.recipe);
    const registration = await openInput(context, found);
    return atMost(context, showing, maxRequests, 'requests that set a password').map(({ request, shownAt }) => ({
      location: {
        url: request.url.replace(/‹\w+›/g, 'x'),
        method: request.method,
        parameter: request.parameter,
        parameterIn: request.parameterIn,
      },
      route: request.route,
      detail: 'An account of the audit set the password of another one of its own, which then logged in with it.',
      data: { registration, login, request, shownAt },
    }));
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'A request that sets a password says of which account, in its address, a field or a hidden field, and the server sets it without looking whose session sends it.',
    impact: 'Every user sets the password of every other one, administrators included, and logs in as them.',
    sends:
      'Only with `writes: "create"`: registers accounts of its own, and as one of them sets the password of another by the name or the number that this one is shown for itself; then logs in with it. Up to eight accounts stay for each of at most three requests.',
    proves:
      'The other account logs in with the password that was set, and a page shows its name, twice; where the request names the account that sends it, the other does not. An attacker with an account takes over any other.',
    remedy:
      'Take the account from the session alone (`/me/password`), or refuse what names another one (`if (id !== session.userId) return forbidden()`), and ask for the current password. Let administrators send a link for a new password instead of setting one.',
    references: [
      'CWE-639: https://cwe.mitre.org/data/definitions/639.html',
      'OWASP API1:2023 Broken Object Level Authorization: https://owasp.org/API-Security/editions/2023/en/0xa1-broken-object-level-authorization/',
      'WSTG-ATHZ-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/05-Authorization_Testing/04-Testing_for_Insecure_Direct_Object_References',
    ],
  },
});

/** With each request a page that shows whose session it is: the one that proves the login, or the one of the form. */
async function withNames({ http }: CheckContext, user: Identity, requests: readonly PasswordRequest[]) {
  const { jar, headers, checkUrl, userName = '' } = user;
  const showing = [];
  for (const request of requests)
    for (const shownAt of new Set([checkUrl, request.pageUrl])) {
      const { status, text } = await http.get(shownAt, { jar, headers });
      if (status !== 200 || !text.includes(userName)) continue;
      showing.push({ request, shownAt });
      break;
    }
  return showing;
}

const chosen = 'Cc3-‹nonce9›';

/** Whom the steps are about, by the trial's values: who sends the request, whom it names, and who logs in with the password. */
type Roles = { sender: string; named: string; other: string; session: string };

function experimentFor(data: ForeignPassword): Experiment | undefined {
  const taken = steps(data, { sender: 'nonce', named: 'nonce2', other: 'nonce2', session: 'taken' });
  const own = steps(data, { sender: 'nonce5', named: 'nonce5', other: 'nonce6', session: 'own' });
  return taken && own && { steps: taken, control: own };
}

function steps(data: ForeignPassword, { sender, named, other, session }: Roles): Step[] | undefined {
  const { request, login, shownAt } = data;
  const how = 'to see whether another one can set its password';
  const attacker = openedAccount(data, { account: accountBy(sender), session: `${session}1`, how });
  const victim = openedAccount(data, { account: accountBy(other), session: `${session}2`, how });
  const entering = newAccountLogin(login, { ...accountBy(other), password: chosen }, `${session}3`);
  if (!attacker || !victim || !entering) return undefined;
  const { identifier, tokens } = request;
  const put = (text: string): string =>
    text
      .replaceAll('‹named›', `‹${named}›`)
      .replaceAll('‹identifier›', `‹${session}${named === other ? 'id2' : 'id1'}›`)
      .replaceAll('‹chosen›', chosen);
  const reading = identifier ? identifierSteps(identifier, session, [attacker.headers, victim.headers]) : [];
  const opening: Step[] =
    tokens.length === 0
      ? []
      : [
          {
            http: { url: request.pageUrl, headers: attacker.headers },
            note: 'Who sends the form opens its page, which gives a token.',
            expect: [claim('status', 'equals', '200')],
            capture: tokens,
          },
        ];
  return [
    ...attacker.steps,
    ...victim.steps,
    ...reading,
    ...opening,
    {
      http: {
        method: request.method,
        url: put(request.url),
        headers: [['Content-Type', request.contentType], ...attacker.headers],
        body: put(request.body),
        secrets: [chosen],
        lasting: {
          description: 'The password of an account of the audit’s own was set by another one.',
          place: request.pageUrl,
          ofOwnAccounts: true,
        },
      },
      note:
        named === other ? 'The first account sets a password; the request names the second one.' : 'It sets its own.',
      expect: [claim('status', 'less-than', '500')],
      hasEffect: true,
    },
    ...entering.steps.map((step, index) =>
      index === entering.steps.length - 1
        ? {
            ...step,
            note: 'The second account logs in with that password.',
            expect: [claim('status', 'present')],
            // A refused login may give no session.
            mayEndControl: true as const,
          }
        : step,
    ),
    {
      http: { url: shownAt, headers: entering.headers },
      note: 'The page shows whose session it is.',
      expect: [claim('status', 'equals', '200'), claim('body', 'contains', `‹${other}›`)],
    },
  ];
}

/** Both accounts are shown what they are known by; what both are shown names neither. */
function identifierSteps(
  { url, subject, pattern }: NonNullable<PasswordRequest['identifier']>,
  session: string,
  accounts: readonly (readonly [string, string])[][],
): Step[] {
  return accounts.map((headers, index) => ({
    http: { url, headers },
    note: 'The account is shown what it is known by.',
    expect: [
      claim('status', 'equals', '200'),
      ...(index === 0 ? [] : [claim(subject, 'not-matches', `(?m)^"?‹${session}id1›"?$`)]),
    ],
    capture: [{ name: `${session}id${index + 1}`, subject, pattern }],
  }));
}
