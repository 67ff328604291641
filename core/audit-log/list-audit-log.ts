import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { AuditLogEntrySchema, ListAuditLogResponseSchema } from '../../proto/gen/scanaudit/v1/audit_log_pb.ts';
import { cursorOf, pageOf, pageSize } from '../paging.ts';
import { AuditEntryEntity, type AuditEntryRow } from './entities.ts';

/** The last entry of the page before. */
const place = cursorOf(z.uuid());

/**
 * A page of an org's audit log, newest first.
 * @param tx sees the org's rows
 * @param orgId null for what belongs to no org
 * @throws Refusal INVALID_PARAMETER
 */
export async function auditLogPage(
  tx: EntityManager,
  orgId: string | null,
  request: { limit?: number | undefined; cursor: string },
): Promise<MessageInitShape<typeof ListAuditLogResponseSchema>> {
  const limit = pageSize(request.limit);
  const before = place.read(request.cursor);
  const where = { orgId, ...(before !== undefined && { id: { $lt: before } }) };
  const rows = await tx.find(AuditEntryEntity, where, { orderBy: { id: 'desc' }, limit: limit + 1 });
  const { page, next } = pageOf(rows, limit, ({ id }) => place.write(id));
  return { items: page.map(describe), ...next };
}

function describe({ recordedAt, detail, ...entry }: AuditEntryRow): MessageInitShape<typeof AuditLogEntrySchema> {
  const { id, action, subject, actorKind, actorKeyId, address, requestId } = entry;
  return {
    id,
    recordedAt: timestampFromDate(recordedAt),
    action,
    subject,
    actorKind,
    actorKeyId,
    address,
    requestId,
    detail: Object.entries(detail)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => ({ name, value: typeof value === 'string' ? value : JSON.stringify(value) })),
  };
}
