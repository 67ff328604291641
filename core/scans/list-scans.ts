import type { Timestamp } from '@bufbuild/protobuf/wkt';
import type { FilterQuery } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import {
  DepthSchema,
  type ListScansRequest,
  type Scan,
  ScanStatusSchema,
} from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { inOrg } from '../db/session.ts';
import { canonicalHost } from '../domains/target.ts';
import { enumWord } from '../enum-words.ts';
import { invalid } from '../errors.ts';
import { cursorOf, pageOf, pageSize } from '../paging.ts';
import { createdAtOf, isRunId } from '../runs/run-id.ts';
import { depths, ScanEntity, type ScanRow, scanStatuses } from './entities.ts';
import { scanRecords } from './scan-record.ts';

/** The last run of the page before. */
const place = cursorOf(z.string().refine(isRunId));

/** By time, although run ids have the same order: the primary key gives that one, and PostgreSQL would walk over the scans of others. */
const newestFirst = { createdAt: 'desc', runId: 'desc' } as const;

/**
 * A page of the org's scans, newest first. It begins where the index says, so its cost does not grow with the history,
 * and a scan that starts meanwhile moves nothing.
 * @throws Refusal INVALID_PARAMETER
 */
export async function listScans(
  em: EntityManager,
  orgId: string,
  request: ListScansRequest,
): Promise<{ items: Scan[]; nextCursor?: string }> {
  const limit = pageSize(request.limit);
  const where = filter(orgId, request);
  return inOrg(em, orgId, async (tx) => {
    const rows = await tx.find(ScanEntity, where, { orderBy: newestFirst, limit: limit + 1 });
    const { page, next } = pageOf(rows, limit, ({ runId }) => place.write(runId));
    return { items: await scanRecords(tx, page), ...next };
  });
}

function filter(orgId: string, request: ListScansRequest): FilterQuery<ScanRow> {
  const before = place.read(request.cursor);
  const status = wordIn(scanStatuses, enumWord(ScanStatusSchema, request.status), 'status');
  const depth = wordIn(depths, enumWord(DepthSchema, request.depth), 'depth');
  const host = request.host === '' ? undefined : canonicalHost(request.host);
  if (request.host !== '' && host === undefined) throw invalid('INVALID_PARAMETER', 'host', 'use a host name');
  return {
    orgId,
    ...(status && { status }),
    ...(depth && { depth }),
    ...(host && { host }),
    $and: [
      ...(before ? [{ createdAt: { $lt: new Date(createdAtOf(before).getTime() + 1) }, runId: { $lt: before } }] : []),
      ...(request.createdAfter ? [{ createdAt: { $gte: new Date(floorMs(request.createdAfter) + 1) } }] : []),
      ...(request.createdBefore ? [{ createdAt: { $lt: new Date(ceilMs(request.createdBefore)) } }] : []),
    ],
  };
}

/** The first whole millisecond at or after a time, and the last one at or before it. */
const ceilMs = ({ seconds, nanos }: Timestamp) => Number(seconds) * 1_000 + Math.ceil(nanos / 1_000_000);
const floorMs = ({ seconds, nanos }: Timestamp) => Number(seconds) * 1_000 + Math.floor(nanos / 1_000_000);

/** A word of a list; undefined for an unspecified one. */
function wordIn<T extends string>(words: readonly T[], word: string, field: string): T | undefined {
  if (word === 'unspecified') return undefined;
  const known = words.find((candidate) => candidate === word);
  if (!known) throw invalid('INVALID_PARAMETER', field, `use ${words.join(', ')}`);
  return known;
}
