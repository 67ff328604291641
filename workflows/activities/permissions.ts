import { isPrivileged } from '../checks/sessions/roles.ts';
import type { Omission, OmissionWord } from '../model/omission.ts';
import type { Surface } from '../model/surface.ts';
import type { AuditActivities } from '../model/tasks.ts';
import { counted } from '../model/words.ts';
import { chooseAddresses, maxAsked, pathOf } from '../permissions/addresses.ts';
import type { MatrixRow, MatrixVisitor } from '../permissions/answer.ts';
import { askAsEach, timeIsUp } from '../permissions/ask.ts';
import { matrixOf } from '../permissions/matrix.ts';
import { type Audit, openAudit } from './audit-context.ts';
import { partCoverage } from './coverage.ts';
import type { AuditDeps } from './deps.ts';
import { inAudit } from './in-audit.ts';
import { masked } from './masking.ts';

/** Identities beyond these get no column: a table has to be read. */
const maxIdentities = 12;
/** A site that is slow to answer, or to read, must not hold up the checks that follow. */
const maxDurationMs = 5 * 60_000;

/** Asks for what one visitor saw as all others, and records what each was shown. */
export function permissionsActivity(deps: AuditDeps): Pick<AuditActivities, 'mapPermissions'> {
  return {
    mapPermissions: ({ runId, share }) =>
      inAudit(deps, { runId, share, part: { id: 'permissions' } }, async (tools) => {
        const { run, context, probes, signal } = tools;
        const audit = await openAudit(deps, tools, { depth: 'deep' });
        const { visitors, beyond } = visitorsOf(audit);
        const omissions = leftOut('too_many', beyond, 'identity', `it has columns for ${maxIdentities} at most`);
        if (visitors.length > 1) {
          const surfaces = surfacesOf(audit, visitors);
          const chosen = chooseAddresses(surfaces, context.excludedPaths, ownLoginPaths(audit));
          const { asked, untried } = chosen.leftOut;
          const { identities } = audit;
          const names = visitors.slice(1).map(({ name }) => name);
          const endMs = performance.now() + maxDurationMs;
          const rows = await askAsEach({ http: probes.http, identities, signal, endMs }, chosen.addresses, names);
          const late = rows.filter(({ answers }) =>
            answers.some((each) => 'untried' in each && each.untried === timeIsUp),
          );
          omissions.push(
            ...partlyCompared(rows),
            ...leftOut('too_many', asked, 'address', `a scan asks for ${maxAsked} at most as each visitor`),
            ...leftOut('alike', chosen.alike, 'address', 'others of their kind were asked for as each visitor'),
            ...leftOut('time', late.length, 'address', `asking took longer than ${maxDurationMs / 60_000} minutes`),
          );
          const matrix = matrixOf(visitors, rows, loginPathsOf(audit), asked + untried);
          await run.recordPermissions(masked(matrix, identities.secrets()));
        }
        const requests = probes.requests();
        omissions.push(...audit.refused().map((each) => ({ ...each, subject: 'permissions' })));
        await run.recordCoverage(partCoverage({ part: 'permissions', requests, omissions }));
        return { requests };
      }),
  };
}

/** Who has a column: a visitor without a login, users, and those who administrate. */
function visitorsOf({ context, identities }: Audit): { visitors: MatrixVisitor[]; beyond: number } {
  const surveyed = Object.values(identities.all).filter(({ name }) => context.surfaces[name]);
  const visitors = surveyed.map(({ name, role }) => ({ name, role, administrator: isPrivileged({ role }) }));
  const ordered = visitors.toSorted((a, b) => Number(a.administrator) - Number(b.administrator));
  const nobody = { name: '', role: '', administrator: false };
  const beyond = Math.max(0, ordered.length - maxIdentities);
  return { visitors: [nobody, ...ordered.slice(0, maxIdentities)], beyond };
}

const plurals = { identity: 'identities', address: 'addresses' };

function leftOut(code: OmissionWord, count: number, what: keyof typeof plurals, why: string): Omission[] {
  const text = `the permission matrix leaves out ${counted(count, what, plurals[what])}: ${why}`;
  return count === 0 ? [] : [{ code, subject: 'permissions', count, text }];
}

/** Only texts at the beginning of an answer are compared to find who is shown what; the rest may differ. */
function partlyCompared(rows: readonly MatrixRow[]): Omission[] {
  const { length: count } = rows.flatMap(({ answers }) => answers).filter((each) => 'isCut' in each && each.isCut);
  const text = `the permission matrix compares ${counted(count, 'answer')} by the beginning only: the rest is beyond its bounds`;
  return count === 0 ? [] : [{ code: 'alike', subject: 'permissions', count, text }];
}

function surfacesOf({ context }: Audit, visitors: readonly MatrixVisitor[]): Record<string, Surface> {
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
