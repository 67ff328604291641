import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import type { Identity } from '../../model/identity.ts';
import { pointerTo } from '../../model/json-pointer.ts';
import type { LoginRecipe } from '../../model/login-recipe.ts';
import { type CheckContext, defineCheck, notApplicable, notRun } from '../contract.ts';
import { atMost } from '../inputs/at-most.ts';
import { inputSteps, openInput } from '../inputs/open-input.ts';
import { byRole } from '../sessions/roles.ts';
import { lacksIdentities } from '../sessions/site-login.ts';
import { newAccountLogin } from './new-account-login.ts';
import { jsonAt } from './own-names.ts';
import {
  accountBy,
  type ExtraField,
  type Registration,
  registrationRequest,
  registrationsIn,
} from './registrations.ts';
import { ownProfile, raisesOf } from './role-writes.ts';

type Registered = {
  registration: Registration;
  recipe: LoginRecipe;
  profileUrl: string;
  /** Where the profile has the role (RFC 6901). */
  pointer: string;
  extra: ExtraField;
};

const maxRegistrations = 2;
const maxProfiles = 4;

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
    const inputs = [context.surface, ...Object.values(context.surfaces)].flatMap((surface) => [
      ...surface.inputs,
      ...(surface.heldInputs ?? []),
    ]);
    const registrations = registrationsIn(inputs);
    if (registrations.length === 0) return notApplicable('Nothing was seen by which somebody opens an account.');
    if (context.writes !== 'create')
      return notRun(
        'would_write',
        'it opens accounts, which stay: the scope of the domain has to say "writes": "create"',
      );
    const roles = await rolesOf(context, user);
    if (roles.length === 0) return notApplicable('No API shows users a role in their own profile.');
    return (
      await Promise.all(
        atMost(context, registrations, maxRegistrations, 'registrations').map(async (each) => {
          const registration = await openInput(context, each);
          return roles.map((role) => candidateFor({ registration, recipe: user.recipe as LoginRecipe, ...role }));
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
      'Registers accounts under random names, with and without the role of the profile raised; logs in with each and reads its profile. Only with `writes: "create"`: up to four accounts a registration stay, which the report names.',
    proves:
      'The profile of the account that was registered with the role has it; that of one registered without has not. An attacker without an account gets one with that role. What pages it opens is not tried.',
    remedy:
      'Take from a registration only the fields that it asks for, by name: a schema that refuses the rest (zod `.strict()`, JSON Schema `additionalProperties: false`), Rails `params.expect(user: [:email, :password])`, Laravel `$fillable`, Django and DRF `fields = [...]`, Spring and ASP.NET Core with a class of its own for input. Set the role in code, and let a route of the administration alone change it.',
    references: [
      'CWE-915: https://cwe.mitre.org/data/definitions/915.html',
      'OWASP API3:2023 Broken Object Property Level Authorization: https://owasp.org/API-Security/editions/2023/en/0xa3-broken-object-property-level-authorization/',
      'OWASP Mass Assignment Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Mass_Assignment_Cheat_Sheet.html',
    ],
  },
});

const candidateFor = (data: Registered) => ({
  location: {
    url: data.registration.url,
    method: 'POST',
    parameter: data.extra.field,
    parameterIn: 'body' as const,
  },
  route: data.registration.route,
  detail: `An account was registered with ${data.extra.field} ${JSON.stringify(data.extra.value)}, and its profile has it.`,
  data,
});

type RoleInProfile = Pick<Registered, 'profileUrl' | 'pointer' | 'extra'>;

/** Roles that a profile of the user shows, with the likeliest higher value. @throws ProbeError */
async function rolesOf(context: CheckContext, user: Identity): Promise<RoleInProfile[]> {
  const pages = context.surfaces[user.name]?.pages ?? [];
  const profiles = pages.filter(({ url, status }) => status === 200 && ownProfile.test(new URL(url).pathname));
  const urls = [...new Set([...profiles.map(({ url }) => url), user.checkUrl])];
  const found: RoleInProfile[] = [];
  for (const profileUrl of atMost(context, urls, maxProfiles, 'answers about a user')) {
    const answer = await jsonAt(context, user, profileUrl);
    for (const { value, pointer } of levelsOf(answer))
      for (const { field, raised } of raisesOf(value))
        found.push({ profileUrl, pointer: pointer + pointerTo(field), extra: { field, value: raised } });
  }
  return [...new Map(found.toReversed().map((each) => [each.extra.field, each])).values()];
}

/** An answer, and the objects in it, as interfaces wrap a profile: `{ "data": { … } }`. */
function levelsOf(answer: unknown): { value: Record<string, unknown>; pointer: string }[] {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return [];
  const below = Object.entries(answer).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? [{ value: { ...value }, pointer: pointerTo(name) }]
      : [],
  );
  return [{ value: { ...answer }, pointer: '' }, ...below];
}

function experimentFor(data: Registered): Experiment | undefined {
  const raised = accountSteps(data, 'nonce', 'session1', data.extra);
  const plain = accountSteps(data, 'nonce2', 'session2', undefined);
  return raised && plain && { steps: raised, control: plain };
}

/** Registers, logs in, and reads the profile. @param extra sent along when given */
function accountSteps(
  { registration, recipe, profileUrl, pointer, extra: role }: Registered,
  nonce: string,
  secret: string,
  extra: ExtraField | undefined,
): Step[] | undefined {
  const account = accountBy(nonce);
  const login = newAccountLogin(recipe, account, secret);
  if (!login) return undefined;
  const how = extra ? `with ${extra.field} ${JSON.stringify(extra.value)} sent along` : 'as the site asks for it';
  const http = {
    ...registrationRequest(registration, account, extra),
    secrets: [account.password],
    lasting: {
      description: `An account was registered, ${how}.`,
      place: registration.page?.url ?? registration.url,
      registers: true as const,
    },
  };
  return [
    ...inputSteps(registration, http, {
      note: `Somebody without an account registers, ${how}.`,
      expect: [claim('status', 'less-than', '400')],
    }),
    ...login.steps,
    {
      http: { url: profileUrl, headers: login.headers },
      note: extra ? 'The profile of the new account has the role.' : 'That of an account registered without has not.',
      expect: [
        claim('status', 'equals', '200'),
        claim(`body:json:${pointer}`, 'equals', JSON.stringify(role.value), 'The role in the profile.'),
      ],
    },
  ];
}
