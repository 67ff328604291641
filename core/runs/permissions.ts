import { fromJson, toJson } from '@bufbuild/protobuf';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  type AddressPermissions,
  type Permissions,
  PermissionsSchema,
  type Visitor,
} from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { invalid } from '../errors.ts';
import type { ScanRow } from '../scans/entities.ts';
import { storableJson } from '../storable.ts';
import { PermissionsEntity } from './entities.ts';
import { addStored, requireShort } from './limits.ts';

/** Columns and rows of a permission matrix: more than this nobody reads. */
const maxVisitors = 50;
const maxAddresses = 200;
const maxUrlLength = 2_048;
const maxTextLength = 2_048;

/** Stores the permission matrix of a run in place of one from before. @throws Refusal INVALID_PARAMETER */
export async function recordPermissions(
  tx: EntityManager,
  scan: ScanRow,
  permissions: Permissions | undefined,
): Promise<void> {
  if (!permissions) throw invalid('INVALID_PARAMETER', 'permissions', 'the matrix');
  requireMatrix(permissions);
  const { runId, orgId } = scan;
  const body = storableJson(toJson(PermissionsSchema, permissions));
  addStored(scan, Buffer.byteLength(JSON.stringify(body)));
  await tx.upsert(PermissionsEntity, { runId, orgId, body });
  scan.revision += 1;
}

function requireMatrix({ visitors, addresses, leftOut }: Permissions): void {
  if (visitors.length === 0 || visitors.length > maxVisitors)
    throw invalid('INVALID_PARAMETER', 'permissions.visitors', `1 to ${maxVisitors}`);
  if (addresses.length > maxAddresses)
    throw invalid('INVALID_PARAMETER', 'permissions.addresses', `at most ${maxAddresses}`);
  if (leftOut < 0) throw invalid('INVALID_PARAMETER', 'permissions.leftOut', 'not negative');
  for (const [index, address] of addresses.entries()) requireAddress(address, visitors, index);
}

function requireAddress(
  { url, route, linkedFor, permissions }: AddressPermissions,
  visitors: readonly Visitor[],
  index: number,
): void {
  const field = `permissions.addresses[${index}]`;
  requireShort(url, `${field}.url`, maxUrlLength);
  requireShort(route, `${field}.route`, maxUrlLength);
  if (linkedFor.length > visitors.length || permissions.length !== visitors.length)
    throw invalid('INVALID_PARAMETER', `${field}.permissions`, 'one for each visitor');
  if (permissions.some(({ detail, sameAs }) => detail.length + sameAs.length > maxTextLength))
    throw invalid('INVALID_PARAMETER', `${field}.permissions`, `texts of at most ${maxTextLength} characters`);
}

/** The permission matrix of a run; undefined when it has none. */
export async function findPermissions(tx: EntityManager, runId: string): Promise<Permissions | undefined> {
  const row = await tx.findOne(PermissionsEntity, { runId });
  return row ? fromJson(PermissionsSchema, row.body, { ignoreUnknownFields: true }) : undefined;
}
