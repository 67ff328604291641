import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { ServiceImpl } from '@connectrpc/connect';
import { LockMode } from '@mikro-orm/core';
import type { IssueKeyRequest, KeyService } from '../../proto/gen/scanaudit/v1/keys_pb.ts';
import { KeyKind } from '../../proto/gen/scanaudit/v1/options_pb.ts';
import { type Caller, type Deps, deps } from '../context.ts';
import { inSystem } from '../db/session.ts';
import { cancelScansOfKeys } from '../endings/cancel-scans.ts';
import { invalid, Refusal } from '../errors.ts';
import { describeKey } from './describe-key.ts';
import { ApiKeyEntity, type ApiKeyRow } from './entities.ts';
import { type Issued, issueKey } from './issue-key.ts';
import { type KeyPage, listKeys, listOrgKeys } from './list-keys.ts';
import { createOrgKey, revokeOrgKey, rotateOrgKey } from './org-keys.ts';
import { revokeWithMade } from './revoke.ts';

export const keyService: ServiceImpl<typeof KeyService> = {
  issueKey: async (request, ctx) => {
    return describeIssued(await issueKey(deps(ctx).em, newKey(request), deps(ctx)));
  },
  createOrgKey: async (request, ctx) => describeIssued(await createOrgKey(deps(ctx), request)),
  rotateOrgKey: async (request, ctx) => describeIssued(await rotateOrgKey(deps(ctx), request)),
  listOrgKeys: async (request, ctx) => describePage(await listOrgKeys(deps(ctx), request)),
  revokeOrgKey: async ({ keyId }, ctx) => {
    await revokeOrgKey(deps(ctx), keyId);
    return {};
  },
  revokeKey: async (request, ctx) => describeKey(await revokeKey(deps(ctx), request.keyId)),
  listKeys: async (request, ctx) => describePage(await listKeys(deps(ctx), request)),
};

const describePage = ({ keys, ...next }: KeyPage) => ({ items: keys.map(describeKey), ...next });

const describeIssued = ({ row, secret }: Issued) => ({ key: describeKey(row), secret });

const kinds: Partial<Record<KeyKind, Caller['kind']>> = {
  [KeyKind.ORG]: 'org',
  [KeyKind.SERVICE]: 'service',
  [KeyKind.WORKER]: 'worker',
  [KeyKind.OPERATOR]: 'operator',
  [KeyKind.LISTENER]: 'listener',
};

function newKey({ kind: number, orgId, name, scopes, expiresAt }: IssueKeyRequest) {
  const kind = kinds[number];
  if (kind === undefined) throw invalid('INVALID_PARAMETER', 'kind', 'name the kind of key');
  return { kind, orgId, name, scopes, ...(expiresAt && { expiresAt: timestampDate(expiresAt) }) };
}

/** Unfinished scans that the revoked keys have started are canceled. Repeating it changes nothing. @throws Refusal NOT_FOUND */
async function revokeKey(deps: Deps, keyId: string): Promise<ApiKeyRow> {
  const key = await inSystem(deps.em, 'operator', async (tx) => {
    const key = await tx.findOne(ApiKeyEntity, { keyId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!key) throw new Refusal('NOT_FOUND', { message: 'There is no such key.' });
    const revoked = await revokeWithMade(tx, key, deps);
    await cancelScansOfKeys(tx, revoked);
    return key;
  });
  deps.dispatcher.wake();
  return key;
}
