import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { ServiceImpl } from '@connectrpc/connect';
import type { IssueKeyRequest, KeySchema, KeyService } from '../../proto/gen/scanaudit/v1/keys_pb.ts';
import { KeyKind } from '../../proto/gen/scanaudit/v1/options_pb.ts';
import { type Caller, type Deps, deps } from '../context.ts';
import { inSystem } from '../db/session.ts';
import { invalid, Refusal } from '../errors.ts';
import { requireOrgId } from '../fields.ts';
import { findOrg } from '../orgs/find-org.ts';
import { ApiKeyEntity, type ApiKeyRow } from './entities.ts';
import { issueKey } from './issue-key.ts';

export const keyService: ServiceImpl<typeof KeyService> = {
  issueKey: async (request, ctx) => {
    const { row, secret } = await issueKey(deps(ctx).em, newKey(request));
    return { key: describeKey(row), secret };
  },
  revokeKey: async (request, ctx) => describeKey(await revokeKey(deps(ctx), request.keyId)),
  listKeys: async (request, ctx) => ({ items: (await listKeys(deps(ctx), request.orgId)).map(describeKey) }),
};

const kinds: Partial<Record<KeyKind, Caller['kind']>> = {
  [KeyKind.ORG]: 'org',
  [KeyKind.SERVICE]: 'service',
  [KeyKind.WORKER]: 'worker',
  [KeyKind.OPERATOR]: 'operator',
};
const kindNumbers = { org: KeyKind.ORG, service: KeyKind.SERVICE, worker: KeyKind.WORKER, operator: KeyKind.OPERATOR };

function newKey({ kind: number, orgId, name, scopes, expiresAt }: IssueKeyRequest) {
  const kind = kinds[number];
  if (kind === undefined) throw invalid('INVALID_PARAMETER', 'kind', 'name the kind of key');
  return { kind, orgId, name, scopes, ...(expiresAt && { expiresAt: timestampDate(expiresAt) }) };
}

/** Repeating it changes nothing. @throws Refusal NOT_FOUND */
const revokeKey = ({ em }: Deps, keyId: string): Promise<ApiKeyRow> =>
  inSystem(em, 'operator', async (tx) => {
    const key = await tx.findOne(ApiKeyEntity, { keyId });
    if (!key) throw new Refusal('NOT_FOUND', { message: 'There is no such key.' });
    key.revokedAt ??= new Date();
    await tx.flush();
    return key;
  });

/** Oldest first. @param orgId empty for the keys that belong to no org @throws Refusal NOT_FOUND */
const listKeys = ({ em }: Deps, orgId: string): Promise<ApiKeyRow[]> =>
  inSystem(em, 'operator', async (tx) => {
    const owner = orgId === '' ? null : (await findOrg(tx, requireOrgId(orgId))).id;
    return tx.find(ApiKeyEntity, { orgId: owner }, { orderBy: { createdAt: 'asc', keyId: 'asc' } });
  });

const time = (date: Date | null | undefined) => (date ? timestampFromDate(date) : undefined);

/** Fields without a value are left out. */
function describeKey(row: ApiKeyRow): MessageInitShape<typeof KeySchema> {
  const times = { expiresAt: time(row.expiresAt), lastUsedAt: time(row.lastUsedAt), revokedAt: time(row.revokedAt) };
  return {
    keyId: row.keyId,
    orgId: row.orgId ?? '',
    kind: kindNumbers[row.kind],
    name: row.name,
    scopes: row.scopes,
    createdAt: timestampFromDate(row.createdAt),
    ...times,
  };
}
