import { create } from '@bufbuild/protobuf';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Reader } from '../../kit/documents/read-aside.ts';
import { type Scope, ScopeSchema, Writes, WritesSchema } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { recordChange } from '../audit-log/record.ts';
import { callerOrg, type Deps } from '../context.ts';
import { inOrg } from '../db/session.ts';
import { enumValue, enumWord } from '../enum-words.ts';
import { invalid } from '../errors.ts';
import type { DomainRow } from './entities.ts';
import { readDomain } from './known-domain.ts';
import { coveringNames, parseDomain } from './name.ts';
import { holdRight, unknownDomain } from './right.ts';
import { listDocuments, putDocuments, readDocuments } from './scope-documents.ts';
import { checkHeaders, listHeaders, putHeaders } from './scope-headers.ts';

/** Of a domain that is still to be proven it is the empty one. @throws Refusal INVALID_PARAMETER, NOT_FOUND */
export function getScope(deps: Deps, text: string): Promise<Scope> {
  const { orgId } = callerOrg(deps);
  const { name: domain } = parseDomain('domain', text);
  return inOrg(deps.em, orgId, async (tx) => {
    const { right, challenge } = await readDomain(tx, orgId, domain);
    if (right && !right.withdrawnAt) return describeScope(tx, right);
    if (!challenge) throw unknownDomain();
    return create(ScopeSchema, { writes: Writes.REVERSIBLE });
  });
}

/** Puts a scope in the place of the one before; scans that start from now on go by it. @throws as getScope */
export async function putScope(deps: Deps, reader: Reader, text: string, given: Scope | undefined): Promise<Scope> {
  const { orgId } = callerOrg(deps);
  const { name: domain } = parseDomain('domain', text);
  const scope = given ?? create(ScopeSchema);
  const { startUrls, excludedPaths, requestsPerSecond, headersOverHttp, headers, documents } = scope;
  const foreign = startUrls.findIndex((url) => !isOf(domain, url));
  if (foreign !== -1)
    throw invalid('INVALID_PARAMETER', `scope.startUrls[${foreign}]`, `use http or https URLs of ${domain}`);
  checkHeaders(headers);
  const read = await readDocuments(reader, documents, deps.signal);
  return inOrg(deps.em, orgId, async (tx) => {
    const right = await holdRight(tx, orgId, domain);
    const settings = { startUrls, excludedPaths, requestsPerSecond, headersOverHttp, writes: writesWord(scope) };
    Object.assign(right, settings);
    await tx.flush();
    await putHeaders(tx, deps.cipher, { orgId, domain }, headers);
    await putDocuments(tx, deps.cipher, { orgId, domain }, documents, read);
    const names = { headers: headers.map(({ name }) => name), documents: documents.map(({ name }) => name) };
    await recordChange(tx, deps, { orgId, action: 'scope.put', subject: domain, detail: { ...settings, ...names } });
    return describeScope(tx, right);
  });
}

const writesWord = ({ writes }: Scope): DomainRow['writes'] =>
  writes === Writes.UNSPECIFIED ? 'reversible' : (enumWord(WritesSchema, writes) as DomainRow['writes']);

function isOf(domain: string, text: string): boolean {
  const url = URL.parse(text);
  const host = url?.hostname.replace(/\.$/, '').replace(/^\[|\]$/g, '') ?? '';
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isWeb && url.username === '' && url.password === '' && coveringNames(host).includes(domain);
}

async function describeScope(tx: EntityManager, right: DomainRow): Promise<Scope> {
  const { orgId, domain, startUrls, excludedPaths, requestsPerSecond, headersOverHttp } = right;
  const headers = (await listHeaders(tx, { orgId, domain })).map(({ name }) => ({ name }));
  const documents = (await listDocuments(tx, { orgId, domain })).map(({ name, format, requests }) => ({
    name,
    format,
    requests,
  }));
  const writes = enumValue(WritesSchema, right.writes);
  const settings = { startUrls, excludedPaths, requestsPerSecond, headersOverHttp, writes };
  return create(ScopeSchema, { ...settings, headers, documents });
}
