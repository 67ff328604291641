import type { Surface } from '../checks/contract.ts';
import { isPrivileged } from '../checks/support/roles.ts';
import type { Omission } from '../orchestration/omissions.ts';
import type { AuditActivities } from '../orchestration/tasks.ts';
import { chooseAddresses, pathOf } from '../permissions/addresses.ts';
import type { Visitor } from '../permissions/answer.ts';
import { askAsEach } from '../permissions/ask.ts';
import { matrixOf } from '../permissions/matrix.ts';
import { type Audit, openAudit } from './audit-context.ts';
import { partCoverage } from './coverage.ts';
import type { AuditDeps } from './deps.ts';
import { masked } from './masking.ts';
import { inAudit } from './scene.ts';

/** Identities beyond these get no column: a table has to be read. */
const maxIdentities = 12;
/** A site that is slow to answer, or to read, must not hold up the checks that follow. */
const maxDurationMs = 5 * 60_000;

/** Asks for what one visitor saw as all others, and records what each was shown. */
export function permissionsActivity(deps: AuditDeps): Pick<AuditActivities, 'mapPermissions'> {
  return {
    mapPermissions: ({ runId, share }) =>
      inAudit(deps, { runId, share }, async (scene) => {
        const { run, context, probes, signal } = scene;
        const audit = await openAudit(deps, scene, 'deep');
        const { visitors, beyond } = visitorsOf(audit);
        const omissions = leftOut(beyond, `identities: the matrix has columns for ${maxIdentities} at most`);
        if (visitors.length > 1) {
          const surfaces = surfacesOf(audit, visitors);
          const { addresses, leftOut: addressesLeft } = chooseAddresses(
            surfaces,
            context.excludedPaths,
            ownLoginPaths(audit),
          );
          omissions.push(...leftOut(addressesLeft, 'addresses: a scan asks for a bounded number of them as all'));
          const { identities } = audit;
          const names = visitors.slice(1).map(({ name }) => name);
          const endMs = performance.now() + maxDurationMs;
          const rows = await askAsEach({ http: probes.http, identities, signal, endMs }, addresses, names);
          const matrix = matrixOf(visitors, rows, loginPathsOf(audit), addressesLeft);
          await run.recordPermissions(masked(matrix, identities.secrets()));
        }
        const requests = probes.requests();
        await run.recordCoverage(partCoverage({ part: 'permissions', requests, omissions }));
        return { requests };
      }),
  };
}

/** Who has a column: a visitor without a login, users, and those who administrate. */
function visitorsOf({ context, identities }: Audit): { visitors: Visitor[]; beyond: number } {
  const surveyed = Object.values(identities.all).filter(({ name }) => context.surfaces[name]);
  const visitors = surveyed.map(({ name, role }) => ({ name, role, administrator: isPrivileged({ role }) }));
  const ordered = visitors.toSorted((a, b) => Number(a.administrator) - Number(b.administrator));
  const nobody = { name: '', role: '', administrator: false };
  const beyond = Math.max(0, ordered.length - maxIdentities);
  return { visitors: [nobody, ...ordered.slice(0, maxIdentities)], beyond };
}

const leftOut = (count: number, what: string): Omission[] =>
  count === 0
    ? []
    : [{ code: 'too_many', subject: 'permissions', count, text: `the permission matrix leaves out ${count} ${what}` }];

function surfacesOf({ context }: Audit, visitors: readonly Visitor[]): Record<string, Surface> {
  const entries = visitors.map(({ name }) => [name, name === '' ? context.surface : context.surfaces[name]] as const);
  return Object.fromEntries(entries.flatMap(([name, surface]) => (surface ? [[name, surface]] : [])));
}

/** Where identities log in. The start page is one of its own, whatever form stands on it. */
const ownLoginPaths = ({ identities }: Audit): Set<string> =>
  new Set(
    Object.values(identities.all)
      .flatMap(({ loginUrl }) => (loginUrl === undefined ? [] : pathOf(loginUrl)))
      .filter((path) => path !== '/'),
  );

/** And every page with a field for a password that a visitor was shown. */
function loginPathsOf(audit: Audit): ReadonlySet<string> {
  const forms = audit.context.surface.forms.filter(({ fields }) => fields.some(({ type }) => type === 'password'));
  return new Set([...ownLoginPaths(audit), ...forms.map(({ pageUrl }) => pathOf(pageUrl))]);
}
