import type { ApproveDomainRequest } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { recordChange } from '../audit-log/record.ts';
import type { Deps } from '../context.ts';
import { isMissingReference } from '../db/failures.ts';
import { inOrg } from '../db/session.ts';
import { DomainEntity, type DomainRow } from '../domains/entities.ts';
import { parseDomain } from '../domains/name.ts';
import { unknownDomain } from '../domains/right.ts';
import { cancelScans } from '../endings/cancel-scans.ts';
import { invalid } from '../errors.ts';
import { requireOrgId } from '../fields.ts';
import { unknownOrg } from '../orgs/find-org.ts';

/** Approving again renews the proof and gives back a withdrawn right. @throws Refusal INVALID_PARAMETER, NOT_FOUND */
export async function approveDomain(deps: Deps, request: ApproveDomainRequest): Promise<DomainRow> {
  const { name: domain, isAddress, isSingleLabel } = parseDomain('domain', request.domain);
  const { includeSubdomains } = request;
  if (includeSubdomains && (isAddress || isSingleLabel))
    throw invalid(
      'INVALID_PARAMETER',
      'includeSubdomains',
      'an address or a single label has no subdomains of its owner',
    );
  const orgId = requireOrgId(request.orgId);
  const right = {
    orgId,
    domain,
    method: 'operator',
    verifiedAt: new Date(),
    includeSubdomains,
    withdrawnAt: null,
    proofToken: null,
    lostReason: null,
  } as const;
  try {
    return await inOrg(deps.em, orgId, async (tx) => {
      const detail = { method: right.method, includeSubdomains };
      await recordChange(tx, deps, { orgId, action: 'domain.approve', subject: domain, detail });
      return tx.upsert(DomainEntity, right);
    });
  } catch (error) {
    throw isMissingReference(error) ? unknownOrg() : error;
  }
}

/** Scans that have not finished are canceled with it. Repeating it changes nothing. @throws Refusal INVALID_PARAMETER, NOT_FOUND */
export async function withdrawDomain(deps: Deps, request: { orgId: string; domain: string }): Promise<DomainRow> {
  const { name: domain } = parseDomain('domain', request.domain);
  const orgId = requireOrgId(request.orgId);
  const right = await inOrg(deps.em, orgId, async (tx) => {
    const right = await tx.findOne(DomainEntity, { orgId, domain });
    if (!right) throw unknownDomain();
    if (right.withdrawnAt) return right;
    right.withdrawnAt = new Date();
    await tx.flush();
    const canceledScans = await cancelScans(tx, orgId, { domain });
    const change = { orgId, action: 'domain.withdraw', subject: domain, detail: { canceledScans } };
    await recordChange(tx, deps, change);
    return right;
  });
  deps.dispatcher.wake();
  return right;
}
