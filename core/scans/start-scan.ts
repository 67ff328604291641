import type { MessageInitShape } from '@bufbuild/protobuf';
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { Depth, type StartScanRequest, type StartScanResponseSchema } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import type { Caller } from '../context.ts';
import { reserveCredit } from '../credits/ledger.ts';
import { inOrg, type Statement } from '../db/session.ts';
import { requireDomainWith } from '../domains/right.ts';
import { parseTarget, type Target } from '../domains/target.ts';
import { Refusal } from '../errors.ts';
import { dispatchNext, queueLock } from '../runs/queue.ts';
import { newRun } from '../runs/run-id.ts';
import type { depths, ScanRow } from './entities.ts';
import { findStoredAnswer, takeIdempotencyKey } from './idempotency.ts';

type DepthWord = (typeof depths)[number];
type StartedScan = Required<Pick<MessageInitShape<typeof StartScanResponseSchema>, 'runId' | 'host'>>;

/** Credits that a scan costs. */
const price: Record<DepthWord, number> = { standard: 1, deep: 5 };

/** Who starts a scan, and what a start needs besides its request. */
type StartContext = {
  em: EntityManager;
  org: NonNullable<Caller['org']>;
  keyId: string;
  /** Of the Idempotency-Key header. */
  idempotencyKey: string | undefined;
  checkoutUrl: string | undefined;
  /** Counts the start against the org's limit. @throws Refusal RATE_LIMITED */
  takeStart(): Promise<void>;
};

const storedAnswer = z.object({ runId: z.string(), host: z.string() });

/**
 * Accepts a scan, in one transaction: who may, what it costs, the scan, and the message that starts it. Nothing of it
 * is there unless all of it is.
 * @returns the answer, and whether it is that of an earlier request with the same idempotency key
 * @throws Refusal INVALID_URL, IDEMPOTENCY_KEY_REUSED, RATE_LIMITED, IDEMPOTENCY_KEY_IN_FLIGHT, DOMAIN_NOT_VERIFIED,
 *   DEEP_NOT_ENTITLED, OUT_OF_CREDIT, in this order
 */
export async function startScan(
  context: StartContext,
  request: StartScanRequest,
): Promise<{ started: StartedScan; isReplay: boolean }> {
  const target = parseTarget(request.url);
  const depth = request.depth === Depth.DEEP ? 'deep' : 'standard';
  const { em, org, idempotencyKey, takeStart } = context;
  const identity = [request.url, request.depth];
  if (idempotencyKey !== undefined) {
    const stored = await findStoredAnswer(em, org.orgId, idempotencyKey, identity);
    if (stored !== undefined) return { started: storedAnswer.parse(stored), isReplay: true };
  }
  await takeStart();
  return inOrg(em, org.orgId, async (tx) => {
    if (idempotencyKey === undefined) return { started: await accept(tx, context, target, depth), isReplay: false };
    const answer = await takeIdempotencyKey(tx, org.orgId, idempotencyKey, identity);
    if (answer.stored !== undefined) return { started: storedAnswer.parse(answer.stored), isReplay: true };
    const started = await accept(tx, context, target, depth);
    await answer.store(started);
    return { started, isReplay: false };
  });
}

async function accept(
  tx: EntityManager,
  { org, keyId, checkoutUrl }: StartContext,
  target: Target,
  depth: DepthWord,
): Promise<StartedScan> {
  const { orgId, plan } = org;
  const { host, url, schemeGiven } = target;
  const right = await requireDomainWith(tx, orgId, host, queueLock(orgId, host));
  if (depth === 'deep' && !plan.deep)
    throw new Refusal('DEEP_NOT_ENTITLED', { metadata: { requiredEntitlement: 'deep' } });
  const { runId, createdAt } = newRun();
  const credits = price[depth];
  const scan = { runId, orgId, keyId, host, url, schemeGiven, depth, credits, createdAt };
  const { domain, method: ownershipMethod, verifiedAt: ownershipVerifiedAt } = right;
  const reservation = await reserveCredit(tx, orgId, credits, runId, (holdId) => [
    insertScan({ ...scan, holdId, domain, ownershipMethod, ownershipVerifiedAt }),
    dispatchNext(orgId, host),
  ]);
  if (!('holdId' in reservation)) throw outOfCredit(credits, reservation.available, checkoutUrl);
  return { runId, host };
}

type NewScan = Pick<
  ScanRow,
  | 'runId'
  | 'orgId'
  | 'keyId'
  | 'host'
  | 'url'
  | 'schemeGiven'
  | 'depth'
  | 'credits'
  | 'createdAt'
  | 'holdId'
  | 'domain'
  | 'ownershipMethod'
  | 'ownershipVerifiedAt'
>;

/** What else there is to know of a scan has its default. */
const insertScan = (scan: NewScan): Statement => ({
  sql: `insert into scans (run_id, org_id, key_id, host, url, scheme_given, depth, credits, created_at, hold_id, domain,
      ownership_method, ownership_verified_at)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  params: [
    ...[scan.runId, scan.orgId, scan.keyId, scan.host, scan.url, scan.schemeGiven, scan.depth, scan.credits],
    ...[scan.createdAt.toISOString(), scan.holdId, scan.domain, scan.ownershipMethod],
    scan.ownershipVerifiedAt.toISOString(),
  ],
});

function outOfCredit(creditsRequired: number, creditsAvailable: number, url: string | undefined): Refusal {
  const has = creditsAvailable === 1 ? '1 credit is left' : `${creditsAvailable} credits are left`;
  const costs = creditsRequired === 1 ? '1 credit' : `${creditsRequired} credits`;
  const message = `The scan costs ${costs}, and ${has}.`;
  const from = url === undefined ? 'Ask the operator of the service for credit' : `Buy credit at ${url}`;
  const advice = `${from}, then start the scan again.`;
  return new Refusal('OUT_OF_CREDIT', {
    message,
    advice,
    checkout: { message: `${message} ${advice}`, creditsRequired, creditsAvailable, ...(url !== undefined && { url }) },
  });
}
