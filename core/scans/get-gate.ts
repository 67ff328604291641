import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  type Gate,
  GateScope,
  GateUntil,
  type GetGateRequest,
  Threshold,
  Verdict,
} from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { acceptedGapsOf } from '../coverage/accepted-gaps.ts';
import { inOrg } from '../db/session.ts';
import { invalid } from '../errors.ts';
import { defaultBaseline, fingerprintsOf } from '../findings/baseline.ts';
import { gateFindings } from '../findings/findings.ts';
import { OrgEntity } from '../orgs/entities.ts';
import { findScan } from '../runs/find-scan.ts';
import { ScanEntity, type ScanRow } from './entities.ts';
import { evaluateGate } from './gate.ts';
import { scanRecord } from './scan-record.ts';

const thresholds = Object.values(Threshold).filter((threshold) => threshold !== Threshold.UNSPECIFIED);

/** Between two looks at a scan that has not changed. */
const pollMs = 500;

/** How a gate is waited for: what ends it, and where it takes its place. */
type GateWait = {
  signal: AbortSignal;
  /** @returns gives the place back @throws Refusal RATE_LIMITED */
  take(): () => void;
};

/**
 * The gate of a scan. With a wait, answers as soon as the verdict is another than pending; when the time is up or the
 * call is ended, answers with what it is then.
 * @throws Refusal INVALID_PARAMETER, NOT_FOUND (the scan, or the baseline), RATE_LIMITED when too many wait
 */
export async function getGate(
  em: EntityManager,
  orgId: string,
  request: GetGateRequest,
  waiting: GateWait,
): Promise<Gate> {
  requireValid(request);
  const untilMs = Date.now() + request.wait * 1_000;
  const first = await evaluate(em, orgId, request);
  if (first.gate.verdict !== Verdict.PENDING || request.wait === 0) return first.gate;
  const release = waiting.take();
  try {
    for (let { gate, version } = first; ; { gate, version } = await evaluate(em, orgId, request)) {
      if (gate.verdict !== Verdict.PENDING) return gate;
      if (!(await hasChanged(em, orgId, request.runId, version, untilMs, waiting.signal))) return gate;
    }
  } finally {
    release();
  }
}

function requireValid({ runId, baseline }: GetGateRequest): void {
  // Compared with itself, no scan has anything new: that would pass whatever was found.
  if (baseline === runId)
    throw invalid('INVALID_PARAMETER', 'baseline', 'name another run than the one that is measured');
}

function evaluate(em: EntityManager, orgId: string, request: GetGateRequest): Promise<{ gate: Gate; version: string }> {
  return inOrg(em, orgId, async (tx) => {
    const scan = await findScan(tx, orgId, request.runId);
    const named = request.baseline === undefined ? undefined : await findScan(tx, orgId, request.baseline);
    const scope = request.scope === GateScope.NEW ? GateScope.NEW : GateScope.ALL;
    const policy = await gatePolicyOf(tx, orgId);
    const gate = evaluateGate({
      scan: await scanRecord(tx, scan),
      findings: await gateFindings(tx, scan),
      threshold: request.threshold || policy.threshold,
      scope,
      acceptedGaps: policy.acceptedGaps,
      baseline:
        scope === GateScope.NEW
          ? await fingerprintsOf(tx, named?.runId ?? (await defaultBaseline(tx, scan)))
          : new Set(),
      until: request.until === GateUntil.VERDICT ? GateUntil.VERDICT : GateUntil.COMPLETED,
      now: new Date(),
    });
    return { gate, version: versionOf(scan) };
  });
}

/** The org's policy, and high without one. */
async function gatePolicyOf(tx: EntityManager, orgId: string) {
  const org = await tx.findOneOrFail(OrgEntity, { id: orgId });
  const threshold = thresholds.find((known) => known === org.gateThreshold) ?? Threshold.HIGH;
  return { threshold, acceptedGaps: acceptedGapsOf(org.acceptedGaps) };
}

/** Differs when the verdict may. */
const versionOf = ({ status, revision }: Pick<ScanRow, 'status' | 'revision'>) => `${status}/${revision}`;

/** Waits for a change. @returns false when the time is up or the call is ended */
async function hasChanged(
  em: EntityManager,
  orgId: string,
  runId: string,
  version: string,
  untilMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  for (;;) {
    const leftMs = untilMs - Date.now();
    if (leftMs <= 0 || signal.aborted) return false;
    await sleep(Math.min(pollMs, leftMs), undefined, { signal }).catch(() => {});
    const fields = ['status', 'revision'] as const;
    const now = await inOrg(em, orgId, (tx) => tx.findOne(ScanEntity, { runId, orgId }, { fields }));
    if (!now || versionOf(now) !== version) return true;
  }
}
