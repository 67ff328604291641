import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { z } from 'zod';
import type { ListOrgsResponseSchema } from '../../proto/gen/scanaudit/v1/orgs_pb.ts';
import type { Deps } from '../context.ts';
import { inSystem } from '../db/session.ts';
import { cursorOf, pageOf, pageSize } from '../paging.ts';
import { OrgEntity } from './entities.ts';

/** The last org of the page before. Orgs are few and made one after the other, but two may be of one moment. */
const place = cursorOf(z.tuple([z.iso.datetime(), z.uuid()]));

/** A page of all orgs, newest first. @throws Refusal INVALID_PARAMETER */
export function listOrgs(
  { em }: Pick<Deps, 'em'>,
  request: { limit?: number | undefined; cursor: string },
): Promise<MessageInitShape<typeof ListOrgsResponseSchema>> {
  const limit = pageSize(request.limit);
  const [time, id] = place.read(request.cursor) ?? [];
  const createdAt = time === undefined ? undefined : new Date(time);
  const after = createdAt && id ? { $or: [{ createdAt: { $lt: createdAt } }, { createdAt, id: { $lt: id } }] } : {};
  return inSystem(em, 'operator', async (tx) => {
    const rows = await tx.find(OrgEntity, after, { orderBy: { createdAt: 'desc', id: 'desc' }, limit: limit + 1 });
    const { page, next } = pageOf(rows, limit, (org) => place.write([org.createdAt.toISOString(), org.id]));
    const items = page.map((org) => ({
      orgId: org.id,
      name: org.name,
      plan: org.plan,
      createdAt: timestampFromDate(org.createdAt),
    }));
    return { items, ...next };
  });
}
