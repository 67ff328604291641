import type { FilterQuery } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { type Finding, FindingState, Severity } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import type { ListFindingsRequest } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { inOrg } from '../db/session.ts';
import { invalid } from '../errors.ts';
import { FindingEntity, type FindingRow } from '../runs/entities.ts';
import { defaultBaseline, fingerprintsOf } from './baseline.ts';
import { cursorOf, pageSize } from './cursor.ts';
import { findScan } from './find-scan.ts';
import { toFinding } from './findings.ts';
import { requireCompleted } from './require-completed.ts';

/** The last finding of the page before. */
const place = cursorOf(z.tuple([z.int().min(1).max(5), z.string().regex(/^[0-9a-f]{32}$/)]));

/**
 * A page of the verified findings of a completed scan, worst first.
 * @throws Refusal INVALID_PARAMETER, NOT_FOUND, SCAN_NOT_COMPLETED
 */
export async function listFindings(
  em: EntityManager,
  orgId: string,
  request: ListFindingsRequest,
): Promise<{ items: Finding[]; nextCursor?: string }> {
  const limit = pageSize(request.limit);
  const where = filter(request);
  return inOrg(em, orgId, async (tx) => {
    const scan = await findScan(tx, orgId, request.runId);
    requireCompleted(scan);
    const rows = isOpenWanted(request.state)
      ? await tx.find(
          FindingEntity,
          { runId: scan.runId, ...where },
          { orderBy: { severity: 'desc', fingerprint: 'asc' }, limit: limit + 1 },
        )
      : [];
    const baseline = await fingerprintsOf(tx, await defaultBaseline(tx, scan));
    const page = rows.slice(0, limit);
    const items = page.map((row) => toFinding(row, baseline));
    const last = page.at(-1);
    return rows.length > limit && last
      ? { items, nextCursor: place.write([last.severity, last.fingerprint]) }
      : { items };
  });
}

function filter(request: ListFindingsRequest): FilterQuery<FindingRow> {
  const after = place.read(request.cursor);
  if (request.severity.includes(Severity.UNSPECIFIED))
    throw invalid('INVALID_PARAMETER', 'severity', 'there is no such value');
  return {
    $and: [
      ...(request.severity.length > 0 ? [{ severity: { $in: request.severity } }] : []),
      { severity: { $gte: request.minSeverity } },
      ...(after
        ? [{ $or: [{ severity: { $lt: after[0] } }, { severity: after[0], fingerprint: { $gt: after[1] } }] }]
        : []),
    ],
  };
}

/** Every finding is open: nothing sets another state yet, and the filter must not pretend otherwise. */
const isOpenWanted = (state: FindingState) => state === FindingState.UNSPECIFIED || state === FindingState.OPEN;
