import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { KeySchema } from '../../proto/gen/scanaudit/v1/keys_pb.ts';
import { KeyKind } from '../../proto/gen/scanaudit/v1/options_pb.ts';
import type { ApiKeyRow } from './entities.ts';

const kindNumbers = {
  org: KeyKind.ORG,
  service: KeyKind.SERVICE,
  worker: KeyKind.WORKER,
  operator: KeyKind.OPERATOR,
  listener: KeyKind.LISTENER,
};

const time = (date: Date | null | undefined) => (date ? timestampFromDate(date) : undefined);

/** Fields without a value are left out. */
export function describeKey(row: ApiKeyRow): MessageInitShape<typeof KeySchema> {
  const times = { expiresAt: time(row.expiresAt), lastUsedAt: time(row.lastUsedAt), revokedAt: time(row.revokedAt) };
  return {
    keyId: row.keyId,
    orgId: row.orgId ?? '',
    kind: kindNumbers[row.kind],
    name: row.name,
    scopes: row.scopes,
    createdAt: timestampFromDate(row.createdAt),
    madeBy: row.madeBy ?? '',
    ...times,
  };
}
