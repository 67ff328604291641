import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { CreditMovementSchema, ListCreditsResponseSchema } from '../../proto/gen/scanaudit/v1/credits_pb.ts';
import { cursorOf, pageOf, pageSize } from '../paging.ts';
import { balanceOf } from './ledger.ts';

/** The last movement of the page before. */
const place = cursorOf(z.uuid());

type MovementRow = {
  id: string;
  kind: string;
  run_id: string | null;
  reason: string;
  created_at: string;
  expires_at: string | null;
  available: number;
  reserved: number;
};

/**
 * An org's credit and a page of its movements, newest first.
 * @throws Refusal INVALID_PARAMETER
 */
export async function listMovements(
  tx: EntityManager,
  orgId: string,
  request: { limit?: number | undefined; cursor: string },
): Promise<MessageInitShape<typeof ListCreditsResponseSchema>> {
  const limit = pageSize(request.limit);
  const before = place.read(request.cursor) ?? null;
  const rows = await tx.execute<MovementRow[]>(
    `select t.id, t.kind, t.run_id, t.reason, t.created_at, l.expires_at,
       coalesce(sum(e.amount) filter (where e.account = 'available'), 0)::integer as available,
       coalesce(sum(e.amount) filter (where e.account = 'reserved'), 0)::integer as reserved
     from ledger_transactions t join ledger_entries e on e.transaction_id = t.id left join credit_lots l on l.id = t.id
     where t.org_id = :orgId and (:before::uuid is null or t.id < :before::uuid)
     group by t.id, l.expires_at order by t.id desc limit :limit`,
    { orgId, before, limit: limit + 1 },
  );
  const { page, next } = pageOf(rows, limit, ({ id }) => place.write(id));
  return { credit: await balanceOf(tx, orgId), items: page.map(describe), ...next };
}

function describe({ id, kind, reason, ...row }: MovementRow): MessageInitShape<typeof CreditMovementSchema> {
  return {
    id,
    kind,
    available: row.available,
    reserved: row.reserved,
    reason,
    createdAt: timestampFromDate(new Date(row.created_at)),
    ...(row.run_id !== null && { runId: row.run_id }),
    ...(row.expires_at !== null && { expiresAt: timestampFromDate(new Date(row.expires_at)) }),
  };
}
