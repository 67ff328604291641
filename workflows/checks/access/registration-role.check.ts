import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import type { LoginRecipe } from '../../model/login-recipe.ts';
import { accountLogin } from '../accounts/account-login.ts';
import { type AccountEntry, openedAccount } from '../accounts/new-accounts.ts';
import { labelledInputs } from '../accounts/registering-labels.ts';
import { accountBy, type ExtraField, registrationsIn } from '../accounts/registrations.ts';
import { defineCheck, notApplicable, notRun } from '../contract.ts';
import { atMost } from '../inputs/at-most.ts';
import { openInput } from '../inputs/open-input.ts';
import { byRole } from '../sessions/roles.ts';
import { lacksIdentities } from '../sessions/site-login.ts';
import { type GrantedRole, rolesByPages, rolesInProfiles, rolesOnPages, withOwnFields } from './granted-roles.ts';
import { rolesByLinks } from './roles-by-links.ts';

type Registered = AccountEntry & { granted: GrantedRole };

const maxRegistrations = 2;

/** An account is registered with a role that nobody offered. Source: CWE-915, API3:2023, WSTG-IDNT-02. */
export const registrationRole = defineCheck<Registered>({
  id: 'access.registration-role',
  title: 'Mass assignment: accounts can be registered with a higher role',
  cwe: 915,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:H/A:N',
  depth: 'deep',
  risk: 'caution',

  async detect(context) {
    const user = byRole(context).users.find(({ recipe }) => recipe);
    if (!user)
      return lacksIdentities(context, 'an identity without administrator rights that logs in by name and password');
    const inputs = [context.surface, ...Object.values(context.surfaces)].flatMap(labelledInputs);
    const registrations = registrationsIn(inputs);
    if (registrations.length === 0) return notApplicable('Nothing was seen by which somebody opens an account.');
    if (context.writes !== 'create')
      return notRun(
        'would_write',
        'it opens accounts, which stay: the scope of the domain has to say "writes": "create"',
      );
    const shown = await rolesInProfiles(context, user);
    const onPages = shown.length > 0 ? [] : await rolesOnPages(context, user);
    const seen = [...shown, ...onPages];
    const byPages = seen.length > 0 ? seen : await rolesByPages(context, user);
    const [first] = registrations;
    const roles = byPages.length > 0 || !first ? byPages : await rolesByLinks(context, user, first);
    if (roles.length === 0)
      return notApplicable(
        'Nothing shows users a role in their own profile, and no page of an administration refuses them.',
      );
    const login = await accountLogin(context, user, user.recipe as LoginRecipe);
    return (
      await Promise.all(
        atMost(context, registrations, maxRegistrations, 'registrations').map(async (each) => {
          const registration = await openInput(context, each);
          return roles.map((granted) =>
            candidateFor({ registration, login, granted: withOwnFields(granted, registration) }),
          );
        }),
      )
    ).flat();
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The request that opens an account is written to it as it is: a role that the page does not offer was sent along, and the new account has it.',
    impact:
      'Everybody registers as an administrator with one request, and has what administrators have: the data of all users, and the settings of the site.',
    sends:
      'Registers accounts under random names, with and without a role (that of the profile, usual names, other words in a field for it), logs in with each, and reads its profile or pages that it is led to. Only with `writes: "create"`: up to seven accounts a registration stay, which the report names.',
    proves:
      'The account that was registered with the role has it in its profile, or is shown a page of the administration; one registered without has not, or is refused. An attacker without an account gets one with that role.',
    remedy:
      'Take from a registration only the fields that it asks for, by name: a schema that refuses the rest (zod `.strict()`, JSON Schema `additionalProperties: false`), Rails `params.expect(user: [:email, :password])`, Laravel `$fillable`, Django and DRF `fields = [...]`, Spring and ASP.NET Core with a class of its own for input. Set the role in code, and let a route of the administration alone change it.',
    references: [
      'CWE-915: https://cwe.mitre.org/data/definitions/915.html',
      'OWASP API3:2023 Broken Object Property Level Authorization: https://owasp.org/API-Security/editions/2023/en/0xa3-broken-object-property-level-authorization/',
      'OWASP Mass Assignment Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Mass_Assignment_Cheat_Sheet.html',
    ],
  },
});

const sentIn = (extras: readonly ExtraField[]): string =>
  extras.map(({ field, value }) => `${field} ${JSON.stringify(value)}`).join(', ');

const candidateFor = (data: Registered) => ({
  location: {
    url: data.registration.url,
    method: 'POST',
    parameter: data.granted.extras.map(({ field }) => field).join(', '),
    parameterIn: 'body' as const,
  },
  route: data.registration.route,
  detail: `An account was registered with ${sentIn(data.granted.extras)}, and ${data.granted.seen}.`,
  data,
});

function experimentFor(data: Registered): Experiment | undefined {
  const raised = accountSteps(data, 'nonce', 'session1', data.granted.extras);
  const plain = accountSteps(data, 'nonce2', 'session2', []);
  return raised && plain && { steps: raised, control: plain };
}

/** Registers, logs in, and reads what shows the role. @param extras sent along */
function accountSteps(
  data: Registered,
  nonce: string,
  session: string,
  extras: readonly ExtraField[],
): Step[] | undefined {
  const { granted } = data;
  const how = extras.length > 0 ? `with ${sentIn(extras)} sent along` : 'as the site asks for it';
  const opened = openedAccount(data, { account: accountBy(nonce), session, how, extras });
  return (
    opened && [
      ...opened.steps,
      {
        http: { url: granted.url, headers: opened.headers },
        note: extras.length > 0 ? granted.notes.raised : granted.notes.plain,
        expect: [claim('status', 'equals', '200'), ...granted.expect],
      },
    ]
  );
}
