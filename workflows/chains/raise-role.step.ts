import { nameOf } from '../checks/access/role-raises.ts';
import { sendRole } from '../checks/access/role-steps.ts';
import { type RoleWrite, wayOf } from '../checks/access/role-writes.ts';
import { allRoleWrites } from '../checks/access/shown-roles.ts';
import { type CheckContext, defineChainStep } from '../checks/contract.ts';
import { likeliest } from '../checks/inputs/at-most.ts';
import { commonAdminPaths, isAdministration } from '../checks/pages/admin-paths.ts';
import { canLogIn, inOwnSession, type LoginIdentity, logInStep } from '../checks/sessions/own-sessions.ts';
import { claim, type Experiment, type Step } from '../model/experiment.ts';
import type { Identity } from '../model/identity.ts';

type Raised = { user: LoginIdentity; write: RoleWrite; url: string };

/** Pages of the administration that are tried: each costs two changes of the role, and two back. */
const maxPages = 2;
const maxLooks = 20;

/** With the role that a user gave themselves the administration opens. Source: CWE-915, CWE-269. */
export const raiseRole = defineChainStep<Raised>({
  id: 'chains.raise-role',
  title: 'Privilege escalation by mass assignment',
  cwe: 269,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H',
  risk: 'caution',
  needs: [{ kind: 'assignable-role' }],
  goal: 'session(admin)',
  cost: 45,

  async detect(context, [fact]) {
    const user = context.identities[fact?.attributes.identity ?? ''];
    if (!user || !canLogIn(user)) return [];
    const write = (await allRoleWrites(context, user)).find((each) => wayOf(each) === fact?.attributes.way);
    if (!write) return [];
    const pages = await refusedPages(context, user);
    return pages.map((url) => ({
      location: { url },
      detail: `"${user.name}" set their own ${nameOf(write)} to ${JSON.stringify(write.raised)} and logged in; it was set back.`,
      data: { user, write, url },
    }));
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  gives: {
    kinds: ['session(admin)'],
    facts: ({ data }) =>
      data
        ? [
            {
              kind: 'session(admin)',
              subject: new URL(data.url).origin,
              attributes: { identity: data.user.name, url: data.url },
            },
          ]
        : [],
  },

  explain: {
    description:
      'A change of the own profile takes the role along, and the site goes by that role: a page of the administration that was refused to a user opened after they had sent it.',
    impact:
      'Every user is an administrator after one request: they read what all others have, change it, and can lock the owners out.',
    sends:
      'Changes the role in a test user’s own profile, logs in anew and requests up to 2 administrative pages; the same request with the role from before undoes it, and the profile is read again.',
    proves:
      'A page that was refused to the user opens after the role was raised, and is refused again with the old role. An attacker with any account becomes an administrator.',
    remedy:
      'Take from a request only the fields that this user may change, by name, and let roles be changed by a route of the administration alone. Write each change of a role to a log that somebody reads.',
    references: [
      'CWE-269: https://cwe.mitre.org/data/definitions/269.html',
      'CWE-915: https://cwe.mitre.org/data/definitions/915.html',
      'OWASP API3:2023: https://owasp.org/API-Security/editions/2023/en/0xa3-broken-object-property-level-authorization/',
    ],
  },
});

/**
 * Pages that the user is led to and that refuse them, those that administrators were shown, then common ones: all that exist and are
 * refused to the user.
 */
async function refusedPages(context: CheckContext, { name, jar, headers }: Identity): Promise<string[]> {
  const { http, surface, surfaces } = context;
  const { origin } = new URL(surface.url);
  const shown = Object.values(surfaces).flatMap(({ pages }) => pages.filter(({ status }) => status === 200));
  const known = shown.map(({ url }) => url).filter((url) => isAdministration(new URL(url).pathname));
  const own = surfaces[name]?.pages.filter(({ status }) => status === 403).map(({ url }) => url) ?? [];
  const urls = new Set([...own, ...known, ...commonAdminPaths.map((path) => origin + path)]);
  const refused: string[] = [];
  for (const url of likeliest(context, [...urls], maxLooks, 'addresses of the administration')) {
    const { status } = await http.get(url, { jar, headers, fresh: true });
    const isRefused = status === 401 || status === 403 || (known.includes(url) && status !== 200 && status < 500);
    if (isRefused) refused.push(url);
    if (refused.length === maxPages) break;
  }
  return refused;
}

function experimentFor({ user, write, url }: Raised): Experiment {
  const opened = [claim('status', 'equals', '200')];
  const ask = (note: string): Step => ({ http: { url }, ...inOwnSession, note, expect: opened });
  return {
    steps: [
      {
        http: { url },
        identity: user.name,
        note: 'The page is refused to the user.',
        expect: [claim('status', 'not-equals', '200')],
      },
      ...sendRole(write, user.name, write.raised, 'The user changes the profile and sends a role along.'),
      logInStep(user),
      ask('The page of the administration opens.'),
    ],
    control: [
      ...sendRole(write, user.name, write.before, 'The role from before is put back.'),
      logInStep(user),
      ask('The page is refused again: it was the role that opened it.'),
    ],
  };
}
