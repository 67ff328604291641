import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { continueAsOrg, continueInSystem } from '../db/session.ts';
import { leaveMessage } from '../outbox/messages.ts';
import { lockQueue } from '../runs/queue.ts';
import { ScanEntity, type ScanRow } from '../scans/entities.ts';
import { endRun } from './end-run.ts';

/** What scans need until they end: the right to their domain, or the key that started them. */
type Basis = { domain: string; runId?: { $ne: string } } | { keyId: { $in: string[] } };

/**
 * Cancels the unfinished scans of an org whose basis ends in the same transaction. The caller wakes the dispatcher once
 * that has committed.
 * @returns how many
 */
export async function cancelScans(tx: EntityManager, orgId: string, basis: Basis): Promise<number> {
  const unfinished = { ...basis, orgId, finishedAt: null };
  const found = await tx.find(ScanEntity, unfinished, { fields: ['host'] });
  const hosts = [...new Set(found.map(({ host }) => host))].sort();
  for (const host of hosts) await lockQueue(tx, orgId, host);
  // Read again under the locks. The newest first: none of those that wait is dispatched when the one before it ends.
  const scans = await tx.find(
    ScanEntity,
    { ...unfinished, host: { $in: hosts } },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { runId: 'desc' }, refresh: true },
  );
  for (const scan of scans) await cancelHeld(tx, scan);
  return scans.length;
}

/**
 * Cancels the unfinished scans that keys have started, of whatever org. The transaction goes on as one of those orgs.
 */
export async function cancelScansOfKeys(tx: EntityManager, keyIds: string[]): Promise<void> {
  if (keyIds.length === 0) return;
  await continueInSystem(tx, 'dispatcher');
  const orgs = await tx.execute<{ org_id: string }[]>(
    'select distinct org_id from scans where key_id = any(array[?]) and finished_at is null order by org_id',
    [keyIds],
  );
  for (const { org_id: orgId } of orgs) {
    await continueAsOrg(tx, orgId);
    await cancelScans(tx, orgId, { keyId: { $in: keyIds } });
  }
}

/** @param scan locked, unfinished, and its host's queue locked before it */
export async function cancelHeld(tx: EntityManager, scan: ScanRow): Promise<void> {
  if (scan.dispatchedAt && !scan.cancelRequestedAt) {
    const { orgId, runId } = scan;
    await leaveMessage(tx, 'cancel', { orgId, key: runId, payload: { runId } });
  }
  scan.cancelRequestedAt ??= new Date();
  if (scan.status === 'queued') await endRun(tx, scan, { outcome: 'canceled' });
  await tx.flush();
}
