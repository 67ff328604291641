import type { ServiceImpl } from '@connectrpc/connect';
import type { AuditLogService } from '../../proto/gen/scanaudit/v1/audit_log_pb.ts';
import { callerOrg, deps } from '../context.ts';
import { inOrg, inSystem } from '../db/session.ts';
import { requireOrgId } from '../fields.ts';
import { findOrg } from '../orgs/find-org.ts';
import { auditLogPage } from './list-audit-log.ts';

export const auditLogService: ServiceImpl<typeof AuditLogService> = {
  listAuditLog: (request, ctx) => {
    const { orgId } = callerOrg(deps(ctx));
    return inOrg(deps(ctx).em, orgId, (tx) => auditLogPage(tx, orgId, request));
  },
  readAuditLog: (request, ctx) =>
    inSystem(deps(ctx).em, 'operator', async (tx) => {
      const orgId = request.orgId === '' ? null : (await findOrg(tx, requireOrgId(request.orgId))).id;
      return auditLogPage(tx, orgId, request);
    }),
};
