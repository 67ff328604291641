import { createHash } from 'node:crypto';
import { create, fromJson, toBinary, toJson } from '@bufbuild/protobuf';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  type Finding,
  FindingSchema,
  type Location,
  type Proof,
  ProofStepSchema,
} from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import { invalid } from '../errors.ts';
import { addStored } from '../runs/limits.ts';
import type { ScanRow } from '../scans/entities.ts';
import { storableJson } from '../storable.ts';
import { FindingEntity, type FindingRow } from './entities.ts';

/** Of one step of a proof: what was sent, what came back, and the claims. */
export const maxEvidenceBytes = 16 * 1024;

/** Places that one finding lists. A weakness in more places than a reader can go through is shown by the first ones. */
export const maxLocations = 500;

/**
 * Stores verified findings. One that the run has already keeps what it says, and gains the places that are new; of checks
 * that prove the same weakness in different ways the first by name speaks. So the order of calls, and repeating them, make
 * no difference to what a finding is.
 * @returns findings of the run so far
 * @throws Refusal INVALID_PARAMETER
 */
export async function recordFindings(tx: EntityManager, scan: ScanRow, findings: readonly Finding[]): Promise<number> {
  if (findings.length === 0) return scan.findingsCount;
  for (const [index, finding] of findings.entries()) requireShortEvidence(finding, `findings[${index}]`);
  const fingerprints = findings.map(({ fingerprint }) => fingerprint);
  const stored = new Map(
    (await tx.find(FindingEntity, { runId: scan.runId, fingerprint: { $in: fingerprints } })).map((row) => [
      row.fingerprint,
      row,
    ]),
  );
  const firstSeen = await firstRuns(tx, scan, fingerprints);
  for (const finding of findings) {
    const row = stored.get(finding.fingerprint);
    if (row) unite(scan, row, finding);
    else stored.set(finding.fingerprint, insert(tx, scan, finding, firstSeen.get(finding.fingerprint)));
  }
  await tx.flush();
  return recount(tx, scan);
}

function requireShortEvidence({ proof, chain }: Finding, field: string): void {
  requireShortSteps(proof, `${field}.proof`);
  for (const [index, link] of chain.entries()) requireShortSteps(link.proof, `${field}.chain[${index}].proof`);
}

function requireShortSteps(proof: Proof | undefined, field: string): void {
  for (const part of ['steps', 'control'] as const)
    for (const [index, step] of (proof?.[part] ?? []).entries())
      if (toBinary(ProofStepSchema, step).byteLength > maxEvidenceBytes)
        throw invalid('INVALID_PARAMETER', `${field}.${part}[${index}]`, `at most ${maxEvidenceBytes} bytes`);
}

/** Which run of the host reported each fingerprint first, as its later findings remember. */
async function firstRuns(tx: EntityManager, scan: ScanRow, fingerprints: string[]): Promise<Map<string, string>> {
  const rows = await tx.execute<{ fingerprint: string; first_seen_run_id: string }[]>(
    `select distinct on (f.fingerprint) f.fingerprint, f.first_seen_run_id
     from findings f join scans s using (run_id)
     where f.org_id = ? and f.fingerprint in (?) and s.host = ? and f.run_id < ?
     order by f.fingerprint, f.first_seen_run_id`,
    [scan.orgId, fingerprints, scan.host, scan.runId],
  );
  return new Map(rows.map((row) => [row.fingerprint, row.first_seen_run_id]));
}

function insert(tx: EntityManager, scan: ScanRow, finding: Finding, firstSeenRunId = scan.runId): FindingRow {
  const { runId, orgId } = scan;
  const { fingerprint, checkId, severity } = finding;
  const id = createHash('sha256').update(`${runId}/${fingerprint}`).digest('hex').slice(0, 32);
  const locations = united(finding.location ? [finding.location] : [], finding.locations);
  const body = bodyOf(create(FindingSchema, { ...finding, id, firstSeenRunId, locations }));
  addStored(scan, Buffer.byteLength(JSON.stringify(body)));
  const row = { runId, fingerprint, orgId, id, checkId, severity, firstSeenRunId, body, createdAt: new Date() };
  return tx.create(FindingEntity, row, { persist: true });
}

function unite(scan: ScanRow, row: FindingRow, finding: Finding): void {
  const before = fromJson(FindingSchema, row.body, { ignoreUnknownFields: true });
  const speaks = finding.checkId < before.checkId ? finding : before;
  const incoming = finding.location ? [finding.location, ...finding.locations] : finding.locations;
  const locations = speaks === before ? united(before.locations, incoming) : united(incoming, before.locations);
  if (speaks === before && locations.length === before.locations.length) return;
  const size = Buffer.byteLength(JSON.stringify(row.body));
  const { id, firstSeenRunId } = before;
  row.body = bodyOf(create(FindingSchema, { ...speaks, id, firstSeenRunId, locations }));
  row.checkId = speaks.checkId;
  row.severity = speaks.severity;
  addStored(scan, Buffer.byteLength(JSON.stringify(row.body)) - size);
}

const bodyOf = (finding: Finding) => storableJson(toJson(FindingSchema, finding));

/** Places in order, each once. */
function united(before: readonly Location[], more: readonly Location[]): Location[] {
  const places = new Map<string, Location>();
  for (const place of [...before, ...more]) {
    const { url, method, parameter, parameterIn } = place;
    const key = JSON.stringify([url, method, parameter, parameterIn]);
    if (places.size < maxLocations && !places.has(key)) places.set(key, place);
  }
  return [...places.values()];
}

const severityColumns = [undefined, 'info', 'low', 'medium', 'high', 'critical'] as const;

/** Brings the scan's counts up to what is stored. */
async function recount(tx: EntityManager, scan: ScanRow): Promise<number> {
  const rows = await tx.execute<{ severity: number; count: number }[]>(
    'select severity, count(*)::int as count from findings where run_id = ? group by severity',
    [scan.runId],
  );
  // The only finding of a severity may have got another.
  for (const column of severityColumns) if (column) scan[column] = 0;
  for (const { severity, count } of rows) {
    const column = severityColumns[severity];
    if (column) scan[column] = count;
  }
  scan.findingsCount = rows.reduce((sum, { count }) => sum + count, 0);
  scan.revision += 1;
  return scan.findingsCount;
}
