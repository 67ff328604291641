import { create, toJson } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inOrg } from '../../../core/db/session.ts';
import { maxLogBytes } from '../../../core/findings/sarif/sarif.ts';
import { maxRunBytes } from '../../../core/runs/limits.ts';
import { exportFindings } from '../../../core/scans/export-findings.ts';
import { getGate } from '../../../core/scans/get-gate.ts';
import { createReportCache, getReport } from '../../../core/scans/get-report.ts';
import {
  ChainLinkSchema,
  FindingSchema,
  LocationSchema,
  Severity,
} from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { ExportFindingsRequestSchema, GetGateRequestSchema } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { further } from '../../support/further.ts';
import { longestTurn } from '../../support/longest-turn.ts';
import { completeRun, finding, newOrg, openDatabase } from './support.ts';

/** What a turn of the event loop may take: see test/security/hostile-service. */
const maxTurnMs = 500;
const findings = 10_000;

const { em, close } = await openDatabase();
const org = await newOrg(em);
const runId = await completeRun(em, await org.startRun());

const test = suite('the largest run that core accepts');

test.before(async () => {
  const { proof, location, ...one } = finding('a', Severity.HIGH, { description: 'x'.repeat(500) });
  const link = create(ChainLinkSchema, { actionId: 'a.b', title: 'A step', gives: 'code', ...(proof && { proof }) });
  const parts = { ...one, ...(proof && { proof }), ...(location && { location }), chain: Array(6).fill(link) };
  const sample = create(FindingSchema, parts);
  const bytes = () => JSON.stringify(toJson(FindingSchema, sample)).length;
  // Messages cost more than text: as many places as fit.
  const left = maxRunBytes / findings - bytes() - 200;
  sample.locations = Array.from({ length: left / 64 }, (_, index) =>
    create(LocationSchema, { url: `https://a.example/${index}`, method: 'GET', parameter: 'q' }),
  );
  await inOrg(em, org.orgId, (tx) =>
    tx.execute(
      `insert into findings (run_id, fingerprint, org_id, id, check_id, severity, first_seen_run_id, body)
       select ?, md5(i::text), ?, md5(i::text), 'a.c' || i % 50, ${Severity.HIGH}, ?,
         ?::jsonb || jsonb_build_object('fingerprint', md5(i::text), 'checkId', 'a.c' || i % 50, 'title', 'Weakness ' || i)
       from generate_series(1, ?::int) i`,
      [runId, org.orgId, runId, JSON.stringify(toJson(FindingSchema, sample)), findings],
    ),
  );
});

further(test)('its report keeps no other call waiting', async () => {
  const { ms, result } = await longestTurn(() => getReport(em, createReportCache(), org.orgId, runId));
  assert.ok(result.length > 1_000_000);
  assert.ok(ms <= maxTurnMs, `${Math.round(ms)} ms`);
});

further(test)('its SARIF log keeps no other call waiting, is bounded, and says what it leaves out', async () => {
  const request = create(ExportFindingsRequestSchema, { runId });
  const { ms, result } = await longestTurn(() => exportFindings(em, org.orgId, request));
  assert.ok(result.byteLength <= maxLogBytes, `${result.byteLength} bytes`);
  const { results, invocations } = JSON.parse(Buffer.from(result).toString()).runs[0];
  assert.match(JSON.stringify(invocations), `There are more findings than the ${results.length} worst`);
  assert.ok(ms <= maxTurnMs, `${Math.round(ms)} ms`);
});

test('its gate keeps no other call waiting', async () => {
  const waiting = { signal: new AbortController().signal, take: () => () => {} };
  const { ms, result } = await longestTurn(() =>
    getGate(em, org.orgId, create(GetGateRequestSchema, { runId }), waiting),
  );
  assert.ok(result.blocking.length > 0);
  assert.ok(ms <= maxTurnMs, `${Math.round(ms)} ms`);
});

test.after(close);
test.run();
