import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { EntityManager } from '@mikro-orm/postgresql';
import { FindingState, FindingStateSchema } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import type { FindingDecisionSchema, UpdateFindingRequest } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { recordChange } from '../audit-log/record.ts';
import { callerOrg, type Deps } from '../context.ts';
import { lockName } from '../db/locks.ts';
import { inOrg } from '../db/session.ts';
import { canonicalHost } from '../domains/target.ts';
import { enumWord } from '../enum-words.ts';
import { invalid, Refusal } from '../errors.ts';
import { DecisionEntity, decidedStates } from './entities.ts';

/**
 * Records what the org decided about a finding: on one host, or on each host where it has been found. A host that is
 * scanned for the first time later is not decided about.
 * @throws Refusal INVALID_PARAMETER, NOT_FOUND
 */
export async function updateFinding(
  deps: Deps,
  request: UpdateFindingRequest,
): Promise<MessageInitShape<typeof FindingDecisionSchema>> {
  const { orgId } = callerOrg(deps);
  const { fingerprint, state, reason } = request;
  const expiresAt = checkRequest(request);
  return inOrg(deps.em, orgId, async (tx) => {
    const hosts = await hostsOf(tx, orgId, fingerprint, request.host);
    if (hosts.length === 0) throw unknownFinding();
    // Decisions about one finding wait for each other: the last one holds for all hosts that it names.
    await lockName(tx, 'finding', `${orgId}/${fingerprint}`);
    const word = decidedStates.find((decided) => decided === enumWord(FindingStateSchema, state));
    await tx.nativeDelete(DecisionEntity, { orgId, fingerprint, host: { $in: hosts } });
    if (word !== undefined)
      await tx.insertMany(
        DecisionEntity,
        hosts.map((host) => ({ orgId, host, fingerprint, state: word, reason, expiresAt })),
      );
    const detail = { state: word ?? 'open', reason, hosts, expiresAt };
    await recordChange(tx, deps, { orgId, action: 'finding.decide', subject: fingerprint, detail });
    return { fingerprint, state, reason, hosts, ...(expiresAt && { expiresAt: timestampFromDate(expiresAt) }) };
  });
}

/** @returns when the decision ends */
function checkRequest({ fingerprint, state, reason, expiresAt }: UpdateFindingRequest): Date | null {
  if (!/^[0-9a-f]{32}$/.test(fingerprint)) throw unknownFinding();
  if (state === FindingState.UNSPECIFIED)
    throw invalid('INVALID_PARAMETER', 'state', `use open, ${decidedStates.join(' or ')}`);
  if (state !== FindingState.OPEN && reason.trim() === '') throw invalid('INVALID_PARAMETER', 'reason', 'give one');
  if (!expiresAt) return null;
  if (state === FindingState.OPEN)
    throw invalid('INVALID_PARAMETER', 'expiresAt', 'what is open does not end; leave it out');
  const date = timestampDate(expiresAt);
  if (date.getTime() <= Date.now()) throw invalid('INVALID_PARAMETER', 'expiresAt', 'use a time that is to come');
  return date;
}

const unknownFinding = () => new Refusal('NOT_FOUND', { message: 'The org has no such finding, or not on this host.' });

/** Hosts of the org on which the finding has been seen. */
async function hostsOf(tx: EntityManager, orgId: string, fingerprint: string, host: string): Promise<string[]> {
  const wanted = host === '' ? undefined : canonicalHost(host);
  if (host !== '' && wanted === undefined) throw invalid('INVALID_PARAMETER', 'host', 'use a host name');
  const rows = await tx.execute<{ host: string }[]>(
    `select distinct s.host from findings f join scans s using (run_id)
     where f.org_id = ? and f.fingerprint = ? order by 1`,
    [orgId, fingerprint],
  );
  const hosts = rows.map((row) => row.host);
  return wanted === undefined ? hosts : hosts.filter((known) => known === wanted);
}
