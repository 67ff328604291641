import { WriteState } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { type Identities, openIdentities } from '../login/identities.ts';
import type { Identity } from '../model/identity.ts';
import type { Omission } from '../model/omission.ts';
import type { AuditActivities } from '../model/tasks.ts';
import type { ActivityTools } from './activity-tools.ts';
import { partCoverage } from './coverage.ts';
import type { AuditDeps } from './deps.ts';
import { loginProofTools } from './gate-knowledge.ts';
import { inAudit } from './in-audit.ts';
import { type Remaining, takeBackWrites } from './writes.ts';

/** What could not be taken back before is tried once more at the end. */
const open: readonly WriteState[] = [WriteState.PENDING, WriteState.UNDO_FAILED];

/** Takes back what the audit changed and has not taken back yet: after a crash, a cancellation, a lost session. */
export function undoActivity(deps: AuditDeps): Pick<AuditActivities, 'undoWrites'> {
  return {
    undoWrites: ({ runId, share }) =>
      inAudit(deps, { runId, share }, async (tools) => {
        const { run, probes, signal, logger } = tools;
        const left = (await run.listWrites()).filter(({ state }) => open.includes(state));
        if (left.length === 0) return { requests: 0 };
        const names = left.flatMap(({ identity, verify }) => [identity, verify?.identity ?? '']);
        const sessions = await openSessions(tools, new Set(names.filter((name) => name !== '')));
        const undoTools = { http: probes.licensed('undo'), now: () => new Date(), signal, ...sessions };
        const remaining = await takeBackWrites({ run, logger }, undoTools, open);
        const requests = probes.requests();
        await run.recordCoverage(partCoverage({ part: 'undo', requests, omissions: remaining.map(gapOf) }));
        return { requests };
      }),
  };
}

const gapOf = ({ write: { description, undo }, why }: Remaining): Omission => ({
  code: 'undo_failed',
  subject: `undo:${undo?.url ?? ''}`,
  count: 1,
  text: `a change could not be taken back: ${description} (${why})`,
});

/** Sessions of these identities. One that cannot log in now may be able to later, and does not keep the others from it. */
async function openSessions(activity: ActivityTools, names: ReadonlySet<string>) {
  const tools = loginProofTools(activity);
  const opened = new Map<string, Identities>();
  const identities: Record<string, Identity> = {};
  const openMissing = async () => {
    for (const name of names) {
      if (opened.has(name)) continue;
      const one = await openIdentities(tools, [name]).catch(() => undefined);
      if (!one) continue;
      opened.set(name, one);
      Object.assign(identities, one.all);
    }
  };
  await openMissing();
  return {
    identities,
    async renewSessions() {
      for (const each of opened.values()) await each.renew().catch(() => {});
      await openMissing();
    },
  };
}
