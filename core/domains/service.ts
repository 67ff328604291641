import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { ServiceImpl } from '@connectrpc/connect';
import type { ApproveDomainRequest, DomainSchema, DomainService } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { callerOrg, type Deps, deps } from '../context.ts';
import { isMissingReference } from '../db/failures.ts';
import { inOrg } from '../db/session.ts';
import { invalid, Refusal } from '../errors.ts';
import { requireOrgId } from '../fields.ts';
import { unknownOrg } from '../orgs/find-org.ts';
import { DomainEntity, type DomainRow } from './entities.ts';
import { deleteLogin, getLogin, putLogin, summarise } from './logins.ts';
import { parseDomain } from './name.ts';

export const domainService: ServiceImpl<typeof DomainService> = {
  approveDomain: async (request, ctx) => describe(await approveDomain(deps(ctx), request)),
  withdrawDomain: async (request, ctx) => describe(await withdrawDomain(deps(ctx), request)),
  listDomains: async (_request, ctx) => ({ items: (await listDomains(deps(ctx))).map(describe) }),
  putLogin: async (request, ctx) => summarise(await putLogin(deps(ctx), request)),
  getLogin: async (request, ctx) => summarise(await getLogin(deps(ctx), request)),
  deleteLogin: async (request, ctx) => {
    await deleteLogin(deps(ctx), request);
    return {};
  },
};

/** Approving again renews the proof and gives back a withdrawn right. @throws Refusal INVALID_PARAMETER, NOT_FOUND */
async function approveDomain({ em }: Deps, request: ApproveDomainRequest): Promise<DomainRow> {
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
  } as const;
  try {
    return await inOrg(em, orgId, (tx) => tx.upsert(DomainEntity, right));
  } catch (error) {
    throw isMissingReference(error) ? unknownOrg() : error;
  }
}

/** Repeating it changes nothing. @throws Refusal INVALID_PARAMETER, NOT_FOUND */
function withdrawDomain({ em }: Deps, request: { orgId: string; domain: string }): Promise<DomainRow> {
  const { name: domain } = parseDomain('domain', request.domain);
  const orgId = requireOrgId(request.orgId);
  return inOrg(em, orgId, async (tx) => {
    const right = await tx.findOne(DomainEntity, { orgId, domain });
    if (!right) throw new Refusal('NOT_FOUND', { message: 'The org has no such domain.' });
    right.withdrawnAt ??= new Date();
    await tx.flush();
    return right;
  });
}

/** By name, the withdrawn ones too. */
function listDomains({ em, ...deps }: Deps): Promise<DomainRow[]> {
  const { orgId } = callerOrg(deps);
  return inOrg(em, orgId, (tx) => tx.find(DomainEntity, { orgId }, { orderBy: { domain: 'asc' } }));
}

function describe(row: DomainRow): MessageInitShape<typeof DomainSchema> {
  const { domain, orgId, method, verifiedAt, includeSubdomains, withdrawnAt } = row;
  const shown = { domain, orgId, method, verifiedAt: timestampFromDate(verifiedAt), includeSubdomains };
  return withdrawnAt ? { ...shown, withdrawnAt: timestampFromDate(withdrawnAt) } : shown;
}
