import { defineCheck, notApplicable } from '../contract.ts';
import { byRole } from '../sessions/roles.ts';
import { lacksIdentities } from '../sessions/site-login.ts';
import { nameOf } from './role-raises.ts';
import { sendRole, showsRole } from './role-steps.ts';
import { type RoleWrite, wayOf } from './role-writes.ts';
import { allRoleWrites } from './shown-roles.ts';

type Assigned = { user: string; write: RoleWrite };

/** A change of the own profile takes the role along. Source: CWE-915, WSTG-INPV-20. */
export const massAssignment = defineCheck<Assigned>({
  id: 'access.mass-assignment',
  title: 'Mass assignment: users can change their own role or account type',
  cwe: 915,
  owasp: 'A01:2025',
  // What the field gives is not shown here: that is the chain's to show.
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:L/UI:N/S:U/C:N/I:L/A:N',
  depth: 'deep',
  risk: 'caution',

  async detect(context) {
    const [user] = byRole(context).users;
    if (!user) return lacksIdentities(context, 'an identity without administrator rights, with a proven login');
    const writes = await allRoleWrites(context, user);
    if (writes.length === 0)
      return notApplicable('Nothing shows users a role in their own profile that a request could change.');
    return writes.map((write) => ({
      location: { url: write.url, method: write.method, parameter: nameOf(write), parameterIn: 'body' as const },
      // Ways to the same field are places of one mistake.
      route: new URL(write.profileUrl).pathname,
      detail: `"${user.name}" set their own ${nameOf(write)} to ${JSON.stringify(write.raised)}; it was set back.`,
      data: { user: user.name, write },
    }));
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const { user, write } = data;
    return {
      steps: [
        showsRole(write, user, write.before, 'The profile of an ordinary user.'),
        ...sendRole(write, user, write.raised, 'The user changes the profile and sends a role along.'),
        showsRole(write, user, write.raised, 'The profile has the role that was sent.'),
      ],
      control: [
        ...sendRole(write, user, write.before, 'The same change with the role from before puts it back.'),
        showsRole(write, user, write.raised, 'The profile no longer has that role.'),
      ],
    };
  },

  gives: {
    kinds: ['assignable-role'],
    facts: ({ data }) =>
      data
        ? [
            {
              kind: 'assignable-role',
              subject: data.write.profileUrl,
              attributes: { identity: data.user, way: wayOf(data.write) },
            },
          ]
        : [],
  },

  explain: {
    description:
      'What a user sends to change their profile is written to the account as it is, fields that the page does not offer included. The role, or the type of the account, is one of them.',
    impact:
      'Where the site goes by that field, every user makes themselves an administrator with one request. Where a page that was refused opened with it, this stands in the report as a chain, with its own severity.',
    sends:
      'Sends a higher role in a test user’s own profile, by PATCH, PUT, its form or a GraphQL mutation, on a test system also as scripts set roles, where an interface or a page shows the role or a list of rights; the same request with the role from before undoes it, and the profile is read to verify that.',
    proves:
      'The profile shows the role that the user sent, and no longer after the old one was sent. An attacker sets the field. That it gives rights is not shown here, so it is low; `chains.raise-role` shows it by a page that was refused and opens.',
    remedy:
      'Take from a request only the fields that this user may change, by name: a schema that refuses the rest (zod `.strict()`, JSON Schema `additionalProperties: false`), Rails `params.expect(user: [:street, :city])`, Laravel `$fillable` and `$request->validated()`, Django forms and DRF serializers with `fields = [...]` and `read_only_fields`, Spring and ASP.NET Core with a class of its own for input instead of the entity. Roles are changed by a route of the administration only.',
    references: [
      'CWE-915: https://cwe.mitre.org/data/definitions/915.html',
      'OWASP API3:2023 Broken Object Property Level Authorization: https://owasp.org/API-Security/editions/2023/en/0xa3-broken-object-property-level-authorization/',
      'OWASP Mass Assignment Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Mass_Assignment_Cheat_Sheet.html',
    ],
  },
});
