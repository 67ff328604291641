import { fromJson, toJson } from '@bufbuild/protobuf';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type Permissions, PermissionsSchema } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { invalid } from '../errors.ts';
import type { ScanRow } from '../scans/entities.ts';
import { storableJson } from '../storable.ts';
import { PermissionsEntity } from './entities.ts';
import { addStored } from './limits.ts';

/** Stores the permission matrix of a run in place of one from before. @throws Refusal INVALID_PARAMETER */
export async function recordPermissions(tx: EntityManager, scan: ScanRow, permissions: Permissions): Promise<void> {
  requireMatrix(permissions);
  const { runId, orgId } = scan;
  const body = storableJson(toJson(PermissionsSchema, permissions));
  addStored(scan, Buffer.byteLength(JSON.stringify(body)));
  await tx.upsert(PermissionsEntity, { runId, orgId, body });
  scan.revision += 1;
}

function requireMatrix({ visitors, addresses }: Permissions): void {
  for (const [index, { linkedFor, permissions }] of addresses.entries())
    if (linkedFor.length > visitors.length || permissions.length !== visitors.length)
      throw invalid('INVALID_PARAMETER', `permissions.addresses[${index}].permissions`, 'one for each visitor');
}

/** The permission matrix of a run; undefined when it has none. */
export async function findPermissions(tx: EntityManager, runId: string): Promise<Permissions | undefined> {
  const row = await tx.findOne(PermissionsEntity, { runId });
  return row ? fromJson(PermissionsSchema, row.body, { ignoreUnknownFields: true }) : undefined;
}
