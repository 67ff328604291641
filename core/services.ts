import type { DescService } from '@bufbuild/protobuf';
import type { ConnectRouter, Interceptor, ServiceImpl } from '@connectrpc/connect';
import { AccessService } from '../proto/gen/scanaudit/v1/access_pb.ts';
import { AuditLogService } from '../proto/gen/scanaudit/v1/audit_log_pb.ts';
import { CallbackService } from '../proto/gen/scanaudit/v1/callbacks_pb.ts';
import { CreditService } from '../proto/gen/scanaudit/v1/credits_pb.ts';
import { DomainService } from '../proto/gen/scanaudit/v1/domains_pb.ts';
import { KeyService } from '../proto/gen/scanaudit/v1/keys_pb.ts';
import { OrgService } from '../proto/gen/scanaudit/v1/orgs_pb.ts';
import { OwnershipService } from '../proto/gen/scanaudit/v1/ownership_pb.ts';
import { RunService } from '../proto/gen/scanaudit/v1/runs_pb.ts';
import { ScanService } from '../proto/gen/scanaudit/v1/scans_pb.ts';
import { accessService } from './access/service.ts';
import { auditLogService } from './audit-log/service.ts';
import { callbackService } from './callbacks/service.ts';
import { creditService } from './credits/service.ts';
import { createDomainService } from './domains/service.ts';
import { keyService } from './keys/service.ts';
import { orgService } from './orgs/service.ts';
import { ownershipService } from './ownership/service.ts';
import { runService } from './runs/service.ts';
import { createScanService } from './scans/service.ts';

/** A service of the contract with its handlers. */
export type Service = {
  desc: DescService;
  register(router: ConnectRouter, options: { interceptors: Interceptor[] }): void;
};

export const service = <D extends DescService>(desc: D, handlers: ServiceImpl<D>): Service => ({
  desc,
  register: (router, options) => router.service(desc, handlers, options),
});

/** Everything that core serves, besides health and reflection. A handler gets what it needs from `deps(ctx)`. */
export const createServices = (): Service[] => [
  service(AccessService, accessService),
  service(OrgService, orgService),
  service(KeyService, keyService),
  service(CreditService, creditService),
  service(DomainService, createDomainService()),
  service(OwnershipService, ownershipService),
  service(AuditLogService, auditLogService),
  service(ScanService, createScanService()),
  service(RunService, runService),
  service(CallbackService, callbackService),
];
