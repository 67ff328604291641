import type { MessageInitShape } from '@bufbuild/protobuf';
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { Depth, type StartScanRequest, type StartScanResponseSchema } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import type { Caller } from '../context.ts';
import { balanceOf, reserveCredit } from '../credits/ledger.ts';
import { executeInOrg, inOrg, type Statement } from '../db/session.ts';
import { isStillRight, requireAmong, requireDomain, rightsAround, type ScanRight } from '../domains/right.ts';
import { parseTarget, type Target } from '../domains/target.ts';
import { Refusal } from '../errors.ts';
import { dispatchNext, queueLock } from '../runs/queue.ts';
import { newRun } from '../runs/run-id.ts';
import type { depths, ScanRow } from './entities.ts';
import {
  isUnanswered,
  type KeyedRequest,
  lockKey,
  patiently,
  readStored,
  storeAnswer,
  storedAnswer,
} from './idempotency.ts';

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

const answer = z.object({ runId: z.string(), host: z.string() });

/**
 * Accepts a scan, in one transaction: what it costs, the scan, and the message that starts it. Nothing of it is there
 * unless all of it is.
 * @returns the answer, and whether it is that of an earlier request with the same idempotency key
 * @throws Refusal INVALID_URL, IDEMPOTENCY_KEY_REUSED, RATE_LIMITED, DOMAIN_NOT_VERIFIED, DEEP_NOT_ENTITLED,
 *   IDEMPOTENCY_KEY_IN_FLIGHT, OUT_OF_CREDIT, in this order
 */
export async function startScan(context: StartContext, request: StartScanRequest): Promise<AcceptedScan> {
  const target = parseTarget(request.url);
  const depth = request.depth === Depth.DEEP ? 'deep' : 'standard';
  const { em, org, idempotencyKey, takeStart } = context;
  const { orgId, plan } = org;
  const keyed =
    idempotencyKey === undefined
      ? undefined
      : { orgId, key: idempotencyKey, request: [request.url, request.depth] as const };
  const [rights = [], stored] = await executeInOrg(em, orgId, [
    rightsAround(orgId, target.host),
    ...(keyed ? [storedAnswer(keyed)] : []),
  ]);
  const known = keyed && readStored(keyed, stored);
  if (known !== undefined) return { started: answer.parse(known), isReplay: true };
  await takeStart();
  const right = requireAmong(em, rights, target.host);
  if (depth === 'deep' && !plan.deep)
    throw new Refusal('DEEP_NOT_ENTITLED', { metadata: { requiredEntitlement: 'deep' } });
  return accept(context, { target, depth, right, keyed });
}

type AcceptedScan = { started: StartedScan; isReplay: boolean };
type AllowedScan = { target: Target; depth: DepthWord; right: ScanRight; keyed: KeyedRequest | undefined };

async function accept(
  { em, org: { orgId }, keyId, checkoutUrl }: StartContext,
  { target: { host, url, schemeGiven }, depth, right, keyed }: AllowedScan,
): Promise<AcceptedScan> {
  const { runId, createdAt } = newRun();
  const credits = price[depth];
  const { domain, method: ownershipMethod, verifiedAt: ownershipVerifiedAt } = right;
  const scan = { runId, orgId, keyId, host, url, schemeGiven, depth, credits, createdAt };
  const started = { runId, host };
  const { sql: lock, params } = queueLock(orgId, host);
  const { holdId, first } = await patiently(() =>
    reserveCredit(em, {
      ...{ orgId, amount: credits, runId },
      first: [...(keyed ? [...lockKey(keyed), storedAnswer(keyed)] : []), { sql: `select ${lock}`, params }],
      provided: both(isStillRight(orgId, right), ...(keyed ? [isUnanswered(keyed)] : [])),
      paidFor: (holdId) => [
        insertScan({ ...scan, holdId, domain, ownershipMethod, ownershipVerifiedAt }),
        dispatchNext(orgId, host),
        ...(keyed ? [storeAnswer(keyed, started, holdId)] : []),
      ],
    }),
  );
  if (holdId !== undefined) return { started, isReplay: false };
  const known = keyed && readStored(keyed, first.at(-2));
  if (known !== undefined) return { started: answer.parse(known), isReplay: true };
  return inOrg(em, orgId, async (tx) => {
    await requireDomain(tx, orgId, host);
    throw outOfCredit(credits, (await balanceOf(tx, orgId)).available, checkoutUrl);
  });
}

const both = (...conditions: readonly Statement[]): Statement => ({
  sql: conditions.map(({ sql }) => sql).join(' and '),
  params: conditions.flatMap(({ params }) => params),
});

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

/** Where its hold was taken. What else there is to know of a scan has its default. */
const insertScan = (scan: NewScan): Statement => ({
  sql: `insert into scans (org_id, hold_id, run_id, key_id, host, url, scheme_given, depth, credits, created_at, domain,
      ownership_method, ownership_verified_at)
    select org_id, id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? from credit_holds where id = ? and org_id = ?`,
  params: [
    ...[scan.runId, scan.keyId, scan.host, scan.url, scan.schemeGiven, scan.depth, scan.credits],
    ...[scan.createdAt.toISOString(), scan.domain, scan.ownershipMethod, scan.ownershipVerifiedAt.toISOString()],
    ...[scan.holdId, scan.orgId],
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
