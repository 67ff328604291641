import { randomUUIDv7 } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { ProofOutcome, type RecordCheckRequest } from '../../proto/gen/scanaudit/v1/ownership_pb.ts';
import { recordChange, systemActor } from '../audit-log/record.ts';
import { continueAsOrg, inSystem } from '../db/session.ts';
import { DomainEntity } from '../domains/entities.ts';
import { requireDomain } from '../domains/right.ts';
import { cancelScans } from '../endings/cancel-scans.ts';
import { invalid, Refusal } from '../errors.ts';
import { isUuid } from '../ids.ts';
import { inRun } from '../runs/in-run.ts';
import { storable } from '../storable.ts';
import { DomainCheckEntity, type DomainCheckRow, proofMethods } from './entities.ts';

/** The worker's part of ownership: what to look for, and what follows from what was seen. */

/** A proof that was seen longer ago is looked at again before a scan. */
const freshHours = 24;
const maxDetailLength = 500;

/** @throws Refusal NOT_FOUND */
export const findCheck = (em: EntityManager, checkId: string): Promise<DomainCheckRow> =>
  withCheck(em, checkId, async (_, check) => check);

/** Recording again changes nothing. @throws Refusal NOT_FOUND, INVALID_PARAMETER */
export const recordCheck = (em: EntityManager, request: RecordCheckRequest): Promise<DomainCheckRow> =>
  withCheck(em, request.checkId, async (tx, check) => {
    if (check.state !== 'pending') return check;
    const method = proofMethods.find((known) => known === request.method);
    if (request.outcome === ProofOutcome.FOUND && !method)
      throw invalid('INVALID_PARAMETER', 'method', `use ${proofMethods.join(', ')}`);
    check.state = stateOf(request.outcome);
    check.detail = storable(request.detail).slice(0, maxDetailLength);
    check.finishedAt = new Date();
    if (check.state === 'found' && method) check.method = method;
    if (check.purpose === 'verify') await applyVerification(tx, check);
    else await applyRenewal(tx, check);
    await tx.flush();
    return check;
  });

function stateOf(outcome: ProofOutcome): 'found' | 'missing' | 'failed' {
  if (outcome === ProofOutcome.FOUND) return 'found';
  if (outcome === ProofOutcome.MISSING) return 'missing';
  if (outcome === ProofOutcome.FAILED) return 'failed';
  throw new TypeError('the outcome of a check is missing: the request was not validated');
}

/** A token proves once, for the org that it was made for, and until it expires. */
async function applyVerification(tx: EntityManager, check: DomainCheckRow): Promise<void> {
  const { orgId, domain, token, method } = check;
  if (check.state !== 'found' || method === '') return;
  const used = await tx.execute<unknown[]>(
    `delete from domain_challenges where org_id = ? and domain = ? and token = ? and expires_at > now() returning token`,
    [orgId, domain, token],
  );
  if (used.length === 0) {
    check.state = 'missing';
    check.detail = 'The challenge has expired or was used.';
    return;
  }
  const now = new Date();
  const includeSubdomains = method === 'dns-txt';
  const right = { orgId, domain, method, verifiedAt: now, checkedAt: now, includeSubdomains, proofToken: token };
  await tx.upsert(DomainEntity, { ...right, withdrawnAt: null, lostReason: null });
  const detail = { method, includeSubdomains };
  await recordChange(tx, systemActor, { orgId, action: 'domain.verify', subject: domain, detail });
}

/** A proof that is gone ends the right, and with it the scans that go by it. One that could not be looked at does not: the next look may see it. */
async function applyRenewal(tx: EntityManager, check: DomainCheckRow): Promise<void> {
  const { orgId, domain, token } = check;
  // Held: staff may approve the domain, or the org give it back, in the same moment.
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
  const right = await tx.findOne(DomainEntity, { orgId, domain, withdrawnAt: null }, lock);
  if (right?.proofToken !== token || check.state === 'failed') return;
  const now = new Date();
  right.checkedAt = now;
  if (check.state === 'found') {
    right.verifiedAt = now;
    return;
  }
  right.withdrawnAt = now;
  right.lostReason = check.detail || 'The proof is no longer there.';
  await tx.flush();
  // The scan whose first step this look was fails by itself, and costs nothing.
  const others = check.runId ? { runId: { $ne: check.runId } } : {};
  const canceledScans = await cancelScans(tx, orgId, { domain, ...others });
  const detail = { method: right.method, reason: right.lostReason, canceledScans };
  await recordChange(tx, systemActor, { orgId, action: 'domain.lose', subject: domain, detail });
}

/**
 * The check that a scan which begins has to make first; undefined when the proof is fresh, or staff's. The right may have
 * ended while the scan waited for its turn.
 * @throws Refusal NOT_FOUND, DOMAIN_NOT_VERIFIED
 */
export const checkForRun = (em: EntityManager, runId: string): Promise<DomainCheckRow | undefined> =>
  inRun(em, runId, async (tx, orgId, host) => {
    const { domain } = await requireDomain(tx, orgId, host);
    const [right] = await tx.execute<DueRight[]>(
      `select ${dueColumns} from domains where org_id = ? and domain = ? and ${isDue}`,
      [orgId, domain],
    );
    return right && requestRenewal(tx, right, runId);
  });

type DueRight = { org_id: string; domain: string; method: DomainCheckRow['method']; token: string };
const dueColumns = 'org_id, domain, method, proof_token as token';
const isDue = `withdrawn_at is null and proof_token is not null and checked_at < now() - interval '${freshHours} hours'`;

/** Checks for the proofs of all orgs that were not looked at for a day, the oldest first, each proposed once a day. */
export async function dueChecks(em: EntityManager, limit: number): Promise<string[]> {
  const due = await inSystem(em, 'worker', (tx) =>
    tx.execute<DueRight[]>(
      `select ${dueColumns} from domains d where ${isDue} and not exists (
         select from domain_checks c where c.org_id = d.org_id and c.domain = d.domain and c.purpose = 'renew'
           and c.requested_at > now() - interval '20 hours'
       ) order by checked_at limit ?`,
      [limit],
    ),
  );
  const ids: string[] = [];
  for (const right of due) {
    const check = await inSystem(em, 'worker', async (tx) => {
      await continueAsOrg(tx, right.org_id);
      return requestRenewal(tx, right);
    });
    ids.push(check.id);
  }
  return ids;
}

/** @param runId the scan that needs the proof, if one does */
async function requestRenewal(
  tx: EntityManager,
  right: DueRight,
  runId: string | null = null,
): Promise<DomainCheckRow> {
  const { org_id: orgId, domain, method, token } = right;
  const id = randomUUIDv7();
  await tx.insert(DomainCheckEntity, { id, orgId, domain, purpose: 'renew', method, token, runId });
  return tx.findOneOrFail(DomainCheckEntity, { id });
}

/** Finds out whose check it is and goes on as that org, holding the check. @throws Refusal NOT_FOUND */
function withCheck<T>(
  em: EntityManager,
  id: string,
  work: (tx: EntityManager, check: DomainCheckRow) => Promise<T>,
): Promise<T> {
  return inSystem(em, 'worker', async (tx) => {
    const [found] = isUuid(id)
      ? await tx.execute<{ org_id: string }[]>('select org_id from domain_checks where id = ?', [id])
      : [];
    if (!found) throw new Refusal('NOT_FOUND', { message: 'There is no such check.' });
    await continueAsOrg(tx, found.org_id);
    await tx.execute('select from domain_checks where id = ? for update', [id]);
    return work(tx, await tx.findOneOrFail(DomainCheckEntity, { id }));
  });
}
