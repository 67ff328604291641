import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { EntityManager } from '@mikro-orm/postgresql';
import { WritesSchema } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { LoginRefSchema, type RunContext, RunContextSchema } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { DepthSchema } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { DomainEntity, LoginEntity } from '../domains/entities.ts';
import { listDocuments } from '../domains/scope-documents.ts';
import { listHeaders } from '../domains/scope-headers.ts';
import { enumValue } from '../enum-words.ts';
import type { ScanRow } from '../scans/entities.ts';
import { findScan } from './find-scan.ts';
import { inRun, notRunning } from './in-run.ts';

/**
 * Marks a dispatched run as running and returns what it needs. Beginning a running run again is fine.
 * @throws Refusal NOT_FOUND, RUN_NOT_RUNNING
 */
export function beginRun(em: EntityManager, runId: string): Promise<RunContext> {
  return inRun(em, runId, async (tx, orgId) => {
    const scan = await findScan(tx, orgId, runId, true);
    const isReady = scan.status === 'queued' && scan.dispatchedAt !== null;
    if (!isReady && scan.status !== 'running') throw notRunning(scan);
    if (isReady) {
      scan.status = 'running';
      scan.phase = 'survey';
      scan.startedAt = new Date();
    }
    return runContext(tx, scan);
  });
}

/** What a worker may know of a run: settings of the scan and of its domain, and secrets by name only. */
export async function runContext(tx: EntityManager, scan: ScanRow): Promise<RunContext> {
  const ofDomain = { orgId: scan.orgId, domain: scan.domain };
  const domain = await tx.findOne(DomainEntity, ofDomain);
  const logins = scan.depth === 'deep' ? await tx.find(LoginEntity, ofDomain, { orderBy: { name: 'asc' } }) : [];
  const headers = await listHeaders(tx, ofDomain);
  const documents = await listDocuments(tx, ofDomain);
  return create(RunContextSchema, {
    runId: scan.runId,
    orgId: scan.orgId,
    url: scan.url,
    host: scan.host,
    depth: enumValue(DepthSchema, scan.depth),
    domain: scan.domain,
    ownershipMethod: scan.ownershipMethod,
    ownershipVerifiedAt: timestampFromDate(scan.ownershipVerifiedAt),
    startUrls: [...(scan.schemeGiven ? [] : [plainTwin(scan.url)]), ...(domain?.startUrls ?? [])],
    excludedPaths: domain?.excludedPaths ?? [],
    requestsPerSecond: domain?.requestsPerSecond ?? 0,
    logins: logins.map(({ name, kind }) => create(LoginRefSchema, { name, kind })),
    headerNames: headers.map(({ name }) => name),
    headersOverHttp: domain?.headersOverHttp ?? false,
    documents: documents.map(({ name }) => name),
    writes: enumValue(WritesSchema, domain?.writes ?? 'none'),
  });
}

/** A bare host says nothing of the scheme: https is the URL, plain http a further place to start from. */
const plainTwin = (url: string) => url.replace(/^https:/, 'http:');
