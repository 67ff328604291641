import type { HttpAction } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import { type Write, WriteState } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import type { Identity } from '../checks/contract.ts';
import { openIdentities } from '../login/identities.ts';
import type { AuditActivities } from '../orchestration/tasks.ts';
import type { HttpProbe, HttpRequest } from '../probe/types.ts';
import { partCoverage } from './coverage.ts';
import type { AuditDeps } from './deps.ts';
import { inAudit } from './scene.ts';

/** Takes back what the audit changed, the last change first, and looks whether each is gone. */
export function undoActivity(deps: AuditDeps): Pick<AuditActivities, 'undoWrites'> {
  return {
    undoWrites: ({ runId, share }) =>
      inAudit(deps, { runId, share }, async ({ run, context, probes, signal }) => {
        const pending = (await run.listWrites()).filter(({ state }) => state === WriteState.PENDING);
        if (pending.length === 0) return { requests: 0 };
        const names = [...new Set(pending.map(({ identity }) => identity))].filter((name) => name !== '');
        const identities = await openIdentities({ run, http: probes.http, baseUrl: context.url }, names);
        const failed: Write[] = [];
        for (const write of pending.toReversed()) {
          const isUndone = await undo(probes.http, write, identities.all[write.identity], signal);
          if (!isUndone) failed.push(write);
          await run.recordWrite({ ...write, state: isUndone ? WriteState.UNDONE : WriteState.UNDO_FAILED });
        }
        const notCovered = failed.map(({ description, undo }) => ({
          subject: `undo:${undo?.url ?? ''}`,
          reason: `a change could not be taken back: ${description}`,
        }));
        const requests = probes.requests();
        await run.recordCoverage(partCoverage({ part: 'undo', requests, notCovered }));
        return { requests };
      }),
  };
}

/** @returns whether the change is gone; that of a write that was recorded but never sent is gone as well */
async function undo(
  http: HttpProbe,
  write: Write,
  identity: Identity | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  if (!write.undo || (write.identity !== '' && !identity)) return false;
  try {
    const { status } = await http.send(requestOf(write.undo, identity));
    if (isSameDoor(write) && isNotServed(status)) return true;
    if (write.undo.method !== 'DELETE') return status < 400;
    if (!(status < 400 || isAbsent(status))) return false;
    const after = await http.send({ ...requestOf(write.undo, identity), method: 'GET' });
    return isAbsent(after.status) || after.status === 405;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

/** What is written and taken back by the same kind of request: where that is not served, nothing was written. */
const isSameDoor = ({ request, undo }: Write): boolean =>
  request !== undefined && undo !== undefined && request.method === undo.method && request.url === undo.url;
const isNotServed = (status: number): boolean => [404, 405, 501].includes(status);

const isAbsent = (status: number): boolean => status === 404 || status === 410;

function requestOf({ method, url, headers, body }: HttpAction, identity: Identity | undefined): HttpRequest {
  const own = headers.map(({ name, value }): [string, string] => [name, value]);
  return {
    method,
    url,
    headers: [...own, ...(identity?.headers ?? [])],
    fresh: true,
    ...(body === '' ? {} : { body }),
    ...(identity === undefined ? {} : { jar: identity.jar }),
  };
}
