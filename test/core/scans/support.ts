import { randomBytes, randomUUID } from 'node:crypto';
import { create, type DescMessage, type MessageInitShape, type MessageShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { EntityManager } from '@mikro-orm/postgresql';
import * as assert from 'uvu/assert';
import { recordCoverage } from '../../../core/coverage/record-coverage.ts';
import { CreditAccountEntity } from '../../../core/credits/entities.ts';
import { balanceOf, grantCredit } from '../../../core/credits/ledger.ts';
import { createCipher } from '../../../core/crypto.ts';
import { createOrm } from '../../../core/db/orm.ts';
import { inOrg, inSystem } from '../../../core/db/session.ts';
import { DomainEntity, LoginEntity } from '../../../core/domains/entities.ts';
import { finishRun } from '../../../core/endings/finish-run.ts';
import { entities } from '../../../core/entities.ts';
import { Refusal } from '../../../core/errors.ts';
import { recordFindings } from '../../../core/findings/record-findings.ts';
import { checkRequest } from '../../../core/interceptors/validate.ts';
import { OrgEntity, type Plan } from '../../../core/orgs/entities.ts';
import { beginRun } from '../../../core/runs/begin-run.ts';
import { inRunningRun } from '../../../core/runs/in-run.ts';
import { ScanEntity, type ScanRow } from '../../../core/scans/entities.ts';
import { startScan } from '../../../core/scans/start-scan.ts';
import { createLogger } from '../../../kit/logger.ts';
import type { ReasonName } from '../../../kit/reasons.ts';
import {
  type Finding,
  FindingSchema,
  LocationSchema,
  ProofSchema,
  ProofStepSchema,
  type Severity,
} from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import {
  FinishRunRequestSchema,
  RecordCoverageRequestSchema,
  RecordFindingsRequestSchema,
  RunOutcome,
} from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import { Depth, FamilyStatus, OutcomeKind, StartScanRequestSchema } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { migratedDatabase } from '../../support/servers.ts';

export const log = createLogger('test', 'silent');
export const cipher = createCipher([{ id: 'test', key: randomBytes(32) }]);

/** The project's tables in a database of the test file's own. */
export async function openDatabase(poolSize = 20) {
  const database = await migratedDatabase();
  const orm = createOrm({ entities, url: database.appUrl, poolSize, log });
  const owner = createOrm({ entities, url: database.ownerUrl, poolSize: 1, log });
  return {
    database,
    em: orm.em,
    /** Row level security binds the owner too, but it may delete. */
    owner: owner.em,
    close: async () => {
      await orm.close(true);
      await owner.close(true);
      await database.drop();
    },
  };
}

const plan: Plan = {
  name: 'test',
  apiAccess: true,
  deep: true,
  requestsPerMinute: 1,
  startsPerMinute: 1,
  orgRequestsPerMinute: 1,
  maxKeys: 1,
  waitingGates: 1,
  retentionDays: 1,
};

/** An org with credit that may scan "example.com" and what is under it. */
export async function newOrg(em: EntityManager, { credits = 100, deep = true, domain = 'example.com' } = {}) {
  const orgId = randomUUID();
  await inOrg(em, orgId, async (tx) => {
    await tx.insert(OrgEntity, { id: orgId, name: 'Example & Co', plan: 'test', gateThreshold: 0 });
    await tx.insert(CreditAccountEntity, { orgId });
    if (credits > 0) await grantCredit(tx, orgId, { amount: credits, reason: 'test', idempotencyKey: 'first' });
    const right = { orgId, domain, method: 'operator' as const, verifiedAt: new Date(), includeSubdomains: true };
    await tx.insert(DomainEntity, { ...right, startUrls: [], excludedPaths: [] });
  });
  return testOrg(em, orgId, { ...plan, deep });
}

export type TestOrg = ReturnType<typeof testOrg>;

function testOrg(em: EntityManager, orgId: string, orgPlan: Plan) {
  const start = async (
    url = 'https://www.example.com',
    depth: Depth = Depth.UNSPECIFIED,
    idempotencyKey: string | undefined = undefined,
  ) => {
    const org = { orgId, plan: orgPlan };
    const context = { em, org, keyId: 'abcdefgh', idempotencyKey, checkoutUrl: undefined, takeStart: async () => {} };
    return startScan(context, create(StartScanRequestSchema, { url, depth }));
  };
  return {
    orgId,
    start,
    startRun: async (...call: Parameters<typeof start>) => (await start(...call)).started.runId,
    balance: () => inOrg(em, orgId, (tx) => balanceOf(tx, orgId)),
    row: (runId: string): Promise<ScanRow> => inOrg(em, orgId, (tx) => tx.findOneOrFail(ScanEntity, { runId })),
    addLogin: (settings: string, name = 'a') =>
      inOrg(em, orgId, (tx) =>
        tx.insert(LoginEntity, {
          ...{ orgId, domain: 'example.com', name, kind: 'bearer', role: 'user', settings, updatedAt: new Date() },
        }),
      ),
  };
}

/** A finding as a worker reports it. Equal letters give equal fingerprints. */
export function finding(
  letter: string,
  severity: Severity,
  more: Partial<Omit<Finding, '$typeName' | '$unknown'>> = {},
): Finding {
  const url = 'https://www.example.com/';
  const step = create(ProofStepSchema, { action: { case: 'http', value: { method: 'GET', url } } });
  return create(FindingSchema, {
    fingerprint: letter.repeat(32),
    checkId: 'headers.hsts-missing',
    title: 'HSTS is not enforced',
    severity,
    location: create(LocationSchema, { url, method: 'GET' }),
    proof: create(ProofSchema, {
      verifiedAt: timestampFromDate(new Date()),
      steps: [step],
      control: [step],
      trials: 2,
    }),
    ...more,
  });
}

/** A worker's request that keeps to the contract, as its rule is given it. @throws Refusal, in a promise */
export async function checked<T extends DescMessage>(schema: T, init: MessageInitShape<T>): Promise<MessageShape<T>> {
  const request = create(schema, init);
  checkRequest(schema, request, true);
  return request;
}

export async function record(em: EntityManager, runId: string, findings: Finding[]): Promise<number> {
  const request = await checked(RecordFindingsRequestSchema, { runId, findings });
  return inRunningRun(em, runId, (tx, scan) => recordFindings(tx, scan, request.findings));
}

/** Everything of one family was looked at. */
export const cover = (em: EntityManager, runId: string, id = 'headers', outcome: OutcomeKind = OutcomeKind.CLEAN) =>
  inRunningRun(em, runId, (tx, scan) =>
    recordCoverage(
      tx,
      scan,
      create(RecordCoverageRequestSchema, {
        runId,
        family: { id, status: FamilyStatus.DONE, checks: 1, requests: 3, outcomes: [{ checkId: 'a.b', outcome }] },
      }),
    ),
  );

export const finish = async (em: EntityManager, runId: string, outcome: RunOutcome = RunOutcome.COMPLETED) =>
  finishRun(em, await checked(FinishRunRequestSchema, { runId, outcome }));

/** A run from its begin to its completed end. */
export async function completeRun(em: EntityManager, runId: string, findings: Finding[] = []): Promise<string> {
  await beginRun(em, runId);
  if (findings.length > 0) await record(em, runId, findings);
  await cover(em, runId);
  await finish(em, runId);
  return runId;
}

/** Messages that wait for Temporal: "start" or "cancel" and the run. */
export async function messages(em: EntityManager, orgId: string): Promise<string[]> {
  const rows = await inSystem(em, 'dispatcher', (tx) =>
    tx.execute<{ kind: string; key: string }[]>('select kind, key from outbox where org_id = ? order by id', [orgId]),
  );
  return rows.map(({ kind, key }) => `${kind} ${key}`);
}

/** The refusal that a call ends with. */
export async function refusal(call: Promise<unknown>, reason: ReasonName): Promise<Refusal> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    assert.is(error.reason, reason);
    return error;
  }
  throw new Error(`not refused with ${reason}`);
}
