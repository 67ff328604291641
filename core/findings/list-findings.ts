import type { FilterQuery } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { type Finding, Severity } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import type { ListFindingsRequest } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { inOrg } from '../db/session.ts';
import { invalid } from '../errors.ts';
import { cursorOf, pageOf, pageSize } from '../paging.ts';
import { findScan } from '../runs/find-scan.ts';
import { requireCompleted } from '../runs/require-completed.ts';
import { decisionsFor } from './decisions.ts';
import type { FindingRow } from './entities.ts';
import { behind, findingReader } from './findings.ts';

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
  const where = { $and: [severityFilter(request), afterPlace(request.cursor)] };
  return inOrg(em, orgId, async (tx) => {
    const scan = await findScan(tx, orgId, request.runId);
    requireCompleted(scan);
    const read = await findingReader(tx, scan, await decisionsFor(tx, scan));
    const found = await read({ where, state: request.state, limit: limit + 1 });
    const { page, next } = pageOf(found, limit, ({ severity, fingerprint }) => place.write([severity, fingerprint]));
    return { items: page, ...next };
  });
}

/** @throws Refusal INVALID_PARAMETER */
export function severityFilter(
  request: Pick<ListFindingsRequest, 'severity' | 'minSeverity'>,
): FilterQuery<FindingRow> {
  if (request.severity.includes(Severity.UNSPECIFIED))
    throw invalid('INVALID_PARAMETER', 'severity', 'there is no such value');
  const wanted = request.severity.length > 0 ? { $in: request.severity } : {};
  return { severity: { $gte: request.minSeverity, ...wanted } };
}

/** @throws Refusal INVALID_PARAMETER */
function afterPlace(cursor: string): FilterQuery<FindingRow> {
  const after = place.read(cursor);
  if (!after) return {};
  const [severity, fingerprint] = after;
  return behind(severity, fingerprint);
}
