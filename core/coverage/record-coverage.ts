import { fromJson, toJson } from '@bufbuild/protobuf';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type Omission, OmissionCodeSchema } from '../../proto/gen/scanaudit/v1/coverage_pb.ts';
import type { RecordCoverageRequest } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { type FamilyCoverage, FamilyCoverageSchema, FamilyStatus } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { LoginEntity } from '../domains/entities.ts';
import { enumValue, enumWord } from '../enum-words.ts';
import { invalid } from '../errors.ts';
import { addStored, maxSubjectLength, maxTextLength } from '../runs/limits.ts';
import type { ScanRow } from '../scans/entities.ts';
import { storable, storableJson } from '../storable.ts';
import { FamilyCoverageEntity, type FamilyCoverageRow, OmissionEntity, type OmissionRow } from './entities.ts';
import { isFamilyComplete } from './families.ts';
import { isGap } from './omissions.ts';

/**
 * Stores how a family ended, and what it left out, in place of what was said of it before. Without a family, what the run
 * as a whole left out: this adds up.
 * @throws Refusal INVALID_PARAMETER when the run would store too much
 */
export async function recordCoverage(tx: EntityManager, scan: ScanRow, request: RecordCoverageRequest): Promise<void> {
  const { runId, orgId } = scan;
  const { family } = request;
  if (family && (await isLate(tx, runId, family))) return;
  if (family) {
    const body = storableJson(toJson(FamilyCoverageSchema, family));
    addStored(scan, Buffer.byteLength(JSON.stringify(body)));
    await tx.upsert(FamilyCoverageEntity, { runId, orgId, family: family.id, body });
    await tx.nativeDelete(OmissionEntity, { runId, family: family.id });
  }
  const rows = rowsOf({ runId, orgId, family: family?.id ?? '' }, request.omissions, placesOf(request));
  if (rows.length > 0) await tx.upsertMany(OmissionEntity, rows);
  const families = await readFamilies(tx, runId);
  scan.requests = families.reduce((sum, { requests }) => sum + requests, 0);
  scan.revision += 1;
}

/** What says of a family that it runs may arrive behind what says how it ended. */
async function isLate(tx: EntityManager, runId: string, { id, status }: FamilyCoverage): Promise<boolean> {
  if (status !== FamilyStatus.RUNNING) return false;
  const known = await tx.findOne(FamilyCoverageEntity, { runId, family: id }, { refresh: true });
  return known !== null && storedFamily(known).status !== FamilyStatus.RUNNING;
}

/** How a family stands, as it is stored. */
export const storedFamily = ({ body }: Pick<FamilyCoverageRow, 'body'>): FamilyCoverage =>
  fromJson(FamilyCoverageSchema, body, { ignoreUnknownFields: true });

type CoverageRow = Pick<OmissionRow, 'runId' | 'orgId' | 'family' | 'code' | 'subject' | 'count' | 'text' | 'places'>;

/** One row for each code and subject: the counts of several reports are added up. */
function rowsOf(
  of: Pick<CoverageRow, 'runId' | 'orgId' | 'family'>,
  omissions: readonly Omission[],
  placesAt: ReadonlyMap<number, string[]>,
): CoverageRow[] {
  const rows = new Map<string, CoverageRow>();
  for (const [index, omission] of omissions.entries()) {
    const code = enumWord(OmissionCodeSchema, omission.code);
    const subject = storable(omission.subject).slice(0, maxSubjectLength);
    const key = JSON.stringify([code, subject]);
    const before = rows.get(key);
    const texts = before && before.text !== omission.text ? [before.text, omission.text] : [omission.text];
    const text = clip(storable(texts.join('; ')), maxTextLength);
    const count = (before?.count ?? 0) + omission.count;
    const places = [...new Set([...(before?.places ?? []), ...(placesAt.get(index) ?? [])])];
    rows.set(key, { ...of, code, subject, count, text, places });
  }
  return [...rows.values()];
}

const clip = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length - 1)}…`);

function placesOf({ places, omissions }: RecordCoverageRequest): Map<number, string[]> {
  if (places.some(({ omission }) => omissions[omission] === undefined))
    throw invalid('INVALID_PARAMETER', 'places.omission', 'the index of an omission of the call');
  return new Map(places.map(({ omission, places: digests }) => [omission, digests]));
}

async function readFamilies(tx: EntityManager, runId: string): Promise<FamilyCoverage[]> {
  const rows = await tx.find(FamilyCoverageEntity, { runId }, { refresh: true });
  return rows.map(storedFamily);
}

type ReportedOmission = Omit<CoverageRow, 'runId' | 'orgId' | 'places'>;

/**
 * Decides, at the end of a run, whether everything that its depth promises was looked at: whether it has no gaps. What
 * its worker should have reported and did not becomes a gap here.
 */
export async function concludeCoverage(tx: EntityManager, scan: ScanRow): Promise<boolean> {
  const { runId, orgId } = scan;
  const families = await readFamilies(tx, runId);
  const reported = await countPlacesOnce(tx, await tx.find(OmissionEntity, { runId }, { refresh: true }));
  const unreported = [...lostFamilies(families, reported), ...(await missingParts(tx, scan, families, reported))];
  if (unreported.length > 0)
    await tx.upsertMany(
      OmissionEntity,
      unreported.map((omission) => ({ runId, orgId, ...omission })),
    );
  return ![...reported, ...unreported].some(isGapRow);
}

/** A place that several parts of the audit left out counts for the first of them, in the order of their names. */
async function countPlacesOnce(tx: EntityManager, rows: readonly OmissionRow[]): Promise<OmissionRow[]> {
  const counted = new Set<string>();
  const kept: OmissionRow[] = [];
  for (const row of rows.toSorted((a, b) => compare(orderOf(a), orderOf(b)))) {
    const repeated = row.places.filter((place) => counted.has(place)).length;
    for (const place of row.places) counted.add(place);
    row.count -= Math.min(row.count, repeated);
    if (row.count === 0) tx.remove(row);
    else {
      kept.push(row);
      if (repeated > 0) row.text = clip(`${row.text} (${repeated} more are counted elsewhere)`, maxTextLength);
    }
  }
  await tx.flush();
  return kept;
}

const orderOf = ({ family, code, subject }: OmissionRow): string => JSON.stringify([family, code, subject]);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const isGapRow = ({ code }: Pick<OmissionRow, 'code'>): boolean => isGap(enumValue(OmissionCodeSchema, code));

function lostFamilies(families: readonly FamilyCoverage[], reported: readonly ReportedOmission[]): ReportedOmission[] {
  const explained = new Set(reported.filter(isGapRow).map(({ family }) => family));
  const lost = families.filter((family) => !isFamilyComplete(family) && !explained.has(family.id));
  return lost.map(({ id, reason }) => lostPart(id, reason || 'it did not look at everything'));
}

const lostPart = (subject: string, text: string): ReportedOmission => ({
  family: subject,
  code: 'family_lost',
  subject,
  count: 1,
  text: clip(text, maxTextLength),
});

/** What a deep scan without a test identity says of that. */
const identityWords = ['no_identities', 'identities_missing', 'identities_gained'];

/** A run without checks, and a deep one without deep checks or without a word on the identities that it lacked. */
async function missingParts(
  tx: EntityManager,
  { depth, orgId, domain }: ScanRow,
  families: readonly FamilyCoverage[],
  reported: readonly ReportedOmission[],
): Promise<ReportedOmission[]> {
  const missing: ReportedOmission[] = [];
  if (families.length === 0) missing.push(lostPart('standard', 'No check was run.'));
  if (depth !== 'deep') return missing;
  if (!families.some(({ id }) => id.startsWith('deep/'))) missing.push(lostPart('deep', 'No deep check was run.'));
  const isSaid = reported.some(({ code }) => identityWords.includes(code));
  if (!isSaid && (await tx.count(LoginEntity, { orgId, domain })) === 0)
    missing.push({
      family: 'deep',
      code: 'identities_missing',
      subject: 'login',
      count: 1,
      text: 'the domain has no test identity to log in with',
    });
  return missing;
}
