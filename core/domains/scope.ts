import { create } from '@bufbuild/protobuf';
import { type Scope, ScopeSchema } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { recordChange } from '../audit-log/record.ts';
import { callerOrg, type Deps } from '../context.ts';
import { inOrg } from '../db/session.ts';
import { invalid } from '../errors.ts';
import { unknownDomain } from './challenge.ts';
import { DomainEntity, type DomainRow } from './entities.ts';
import { coveringNames, parseDomain } from './name.ts';

/** @throws Refusal INVALID_PARAMETER, NOT_FOUND */
export function getScope(deps: Deps, text: string): Promise<Scope> {
  const { orgId } = callerOrg(deps);
  const { name: domain } = parseDomain('domain', text);
  return inOrg(deps.em, orgId, async (tx) => {
    const right = await tx.findOne(DomainEntity, { orgId, domain, withdrawnAt: null });
    if (!right) throw unknownDomain();
    return describeScope(right);
  });
}

/** Puts a scope in the place of the one before; scans that start from now on go by it. @throws as getScope */
export function putScope(deps: Deps, text: string, scope: Scope | undefined): Promise<Scope> {
  const { orgId } = callerOrg(deps);
  const { name: domain } = parseDomain('domain', text);
  const { startUrls, excludedPaths, requestsPerSecond } = scope ?? create(ScopeSchema);
  const foreign = startUrls.findIndex((url) => !isOf(domain, url));
  if (foreign !== -1)
    throw invalid('INVALID_PARAMETER', `scope.startUrls[${foreign}]`, `use http or https URLs of ${domain}`);
  return inOrg(deps.em, orgId, async (tx) => {
    const right = await tx.findOne(DomainEntity, { orgId, domain, withdrawnAt: null });
    if (!right) throw unknownDomain();
    Object.assign(right, { startUrls, excludedPaths, requestsPerSecond });
    await tx.flush();
    const detail = { startUrls, excludedPaths, requestsPerSecond };
    await recordChange(tx, deps, { orgId, action: 'scope.put', subject: domain, detail });
    return describeScope(right);
  });
}

function isOf(domain: string, text: string): boolean {
  const url = URL.parse(text);
  const host = url?.hostname.replace(/\.$/, '').replace(/^\[|\]$/g, '') ?? '';
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isWeb && url.username === '' && url.password === '' && coveringNames(host).includes(domain);
}

const describeScope = ({ startUrls, excludedPaths, requestsPerSecond }: DomainRow): Scope =>
  create(ScopeSchema, { startUrls, excludedPaths, requestsPerSecond });
