import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { maxReportBytes } from '../../../core/report/budget.ts';
import { renderReport } from '../../../core/report/report.ts';
import { Severity } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { WriteState } from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import { further } from '../../support/further.ts';
import { hostileInput } from './hostile-input.ts';
import { sampleFinding, sampleInput, sampleScan, sampleWrite } from './samples.ts';

const bounds = suite('the size of a report');
const bytes = (report: string) => Buffer.byteLength(report);

bounds('thousands of places of one weakness stay within it, and the report says what it left out', () => {
  const findings = Array.from({ length: 5_000 }, (_, index) =>
    sampleFinding({ location: { url: `https://shop.example/${index}`, method: 'GET' } }),
  );
  const report = renderReport(sampleInput({ findings }));
  assert.ok(bytes(report) < maxReportBytes / 4);
  assert.match(report, '5,000 verified findings');
  assert.match(report, '4,780 further places');
});

bounds('hundreds of kinds stay within it, the worst ones whole and the others named', () => {
  const findings = Array.from({ length: 3_000 }, (_, index) =>
    sampleFinding({
      checkId: `check-${index}`,
      title: `Kind ${index}`,
      severity: index === 2_999 ? Severity.CRITICAL : Severity.LOW,
      description: '"'.repeat(5_000),
    }),
  );
  const report = renderReport(sampleInput({ findings }));
  assert.ok(bytes(report) <= maxReportBytes);
  assert.match(report, 'Not all findings fit into this file');
  assert.match(report, /<h3 id="finding-1-title"><span class="number">F1<\/span> Kind 2999<\/h3>/);
  assert.match(report, 'id="methodology"');
});

further(bounds)('the longest texts in every field, each of them longer when encoded, stay within it', () => {
  const long = '\u202e"'.repeat(20_000);
  const input = hostileInput(long);
  const many = <T>(items: T[]) => Array.from({ length: 300 }, () => items).flat();
  const { coverage } = input.scan;
  if (!coverage) throw new Error('no coverage');
  coverage.families = many(coverage.families);
  coverage.gaps = many(coverage.gaps);
  coverage.limits = many(coverage.limits);
  const findings = many(input.findings).map((finding, index) => ({ ...finding, checkId: `c${index}` }));
  const before = process.cpuUsage();
  if (input.permissions) input.permissions.addresses = many(input.permissions.addresses).slice(0, 200);
  const report = renderReport({ ...input, findings, writes: many(input.writes) });
  assert.ok(bytes(report) <= maxReportBytes, `${bytes(report)} bytes`);
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < 20_000_000, `${user + system} µs of processor time`);
  for (const part of [
    'Not all findings fit',
    'further gaps not shown',
    'further changes not shown',
    'further rows not shown',
    '</html>',
  ])
    assert.match(report, part);
});

bounds('changes that remain come before those that were taken back, so none of them is cut first', () => {
  const writes = [
    ...Array.from({ length: 2_000 }, () => sampleWrite(WriteState.UNDONE)),
    sampleWrite(WriteState.UNDO_FAILED),
  ];
  assert.match(renderReport(sampleInput({ writes })), 'taking back failed');
});

bounds('findings that were not given are said to be missing', () => {
  const report = renderReport(sampleInput({ scan: sampleScan({ findingsCount: 12 }), findings: [sampleFinding()] }));
  assert.match(report, '11 further findings');
});

bounds.run();
