import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FindingBody, GateBody, ScanBody } from '../../../cli/api/schemas.ts';
import { junitXml } from '../../../cli/output/junit.ts';

const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
const gateOf = (verdict: string, blocking: object[] = []) =>
  GateBody.parse({
    ...{ runId: 'r', scanStatus: 'completed', verdict, threshold: 'high', counts, blocking, reason: 'Because.' },
    coverage: { complete: verdict === 'pass', gaps: [], limits: [], acceptedGaps: [] },
  });
const scanOf = (families: object[]) =>
  ScanBody.parse({
    ...{ runId: 'r', host: 'shop.example', url: 'https://shop.example/', depth: 'standard', status: 'completed' },
    ...{ phase: 'done', progress: 1, createdAt: '2026-03-04T10:00:00.250Z', findingsCount: 0, severity: counts },
    ...{ coverage: { complete: true, families, gaps: [], limits: [], summary: 'Complete.' }, requests: 1, credits: 1 },
  });
const family = (status: string, outcomes: object[], reason = '') => ({ id: 'headers', status, reason, outcomes });
const outcome = (checkId: string, word: string, reason = '') => ({ checkId, outcome: word, reason });
const finding = {
  ...{ fingerprint: 'ab'.repeat(16), checkId: 'headers.hsts-missing', title: 'No HSTS', severity: 'high' },
  ...{ category: 'headers', location: { url: 'https://shop.example/a?token=1', method: 'GET' } },
  ...{ description: 'What.', remediation: 'Do.' },
};

const test = suite('junitXml');

test('limits and accepted gaps are skipped, other gaps are errors, wherever they come from', () => {
  const left = (code: string, subject: string) => ({ code, subject, count: 1, text: `${subject} was left out` });
  const outcomes = [
    { ...outcome('mail.x', 'not_run', 'turned off'), code: 'instrument_off' },
    { ...outcome('mail.y', 'not_run', 'a firewall'), code: 'blocked' },
  ];
  const scan = scanOf([family('done', outcomes)]);
  scan.coverage.gaps = [left('blocked', 'mail.y'), left('template_unseen', 'survey')];
  scan.coverage.limits = [left('instrument_off', 'mail.x'), left('would_write', 'survey:a')];
  const kinds = (acceptedGaps: { code: string; reason: string }[]) => {
    const gate = gateOf(acceptedGaps.length > 1 ? 'pass' : 'inconclusive');
    const xml = junitXml({ scan, gate: { ...gate, coverage: { ...gate.coverage, acceptedGaps } }, findings: [] });
    return ['mail.x', 'mail.y', 'survey', 'survey:a'].map(
      (name) => new RegExp(`name="${name}" time="0"><(\\w+)`).exec(xml)?.[1],
    );
  };
  assert.equal(kinds([]), ['skipped', 'error', 'error', 'skipped']);
  const accepted = ['blocked', 'template_unseen'].map((code) => ({ code, reason: 'known' }));
  assert.equal(kinds(accepted), ['skipped', 'skipped', 'skipped', 'skipped']);
});

test('a clean check passes, one that does not apply is skipped, one that could not look is an error', () => {
  const outcomes = [
    outcome('a', 'clean'),
    outcome('b', 'not_applicable', 'No TLS'),
    outcome('c', 'not_run', 'No browser'),
  ];
  const xml = junitXml({ scan: scanOf([family('done', outcomes)]), gate: gateOf('inconclusive'), findings: [] });
  assert.match(xml, '<testcase classname="headers" name="a" time="0"/>');
  assert.match(xml, '<testcase classname="headers" name="b" time="0"><skipped message="No TLS"/></testcase>');
  assert.match(xml, '<error message="No browser" type="not-covered">No browser</error>');
  assert.match(xml, '<testsuite name="headers" tests="3" failures="0" errors="1" skipped="1" time="0"');
  assert.match(xml, 'timestamp="2026-03-04T10:00:00"');
});

test('a family that did not end is an error of its own; one that was skipped with all its checks is none', () => {
  const failed = junitXml({
    scan: scanOf([family('failed', [], 'It stalled')]),
    gate: gateOf('inconclusive'),
    findings: [],
  });
  assert.match(failed, '<testcase classname="headers" name="Coverage" time="0"><error message="It stalled"');
  const skipped = scanOf([family('skipped', [outcome('a', 'not_applicable', 'No mail')])]);
  assert.not.match(junitXml({ scan: skipped, gate: gateOf('pass'), findings: [] }), '<error');
});

test('nothing fails exactly when the gate passes', () => {
  const scan = scanOf([family('done', [outcome('headers.hsts-missing', 'found')])]);
  const findings = [FindingBody.parse(finding)];
  assert.not.match(junitXml({ scan, gate: gateOf('pass'), findings }), /<failure|<error/);
  const failing = junitXml({ scan, gate: gateOf('fail', [finding]), findings });
  assert.is(failing.match(/<failure/g)?.length, 2);
  assert.match(failing, '<testsuites name="Scan Audit of shop.example" tests="2" failures="2"');
  for (const verdict of ['inconclusive', 'pending'])
    assert.match(junitXml({ scan: scanOf([]), gate: gateOf(verdict), findings: [] }), /<error message="Because\."/);
});

test('a name has no values, so that it is the same in the next scan', () => {
  const xml = junitXml({ scan: scanOf([]), gate: gateOf('fail', [finding]), findings: [FindingBody.parse(finding)] });
  assert.match(xml, 'name="No HSTS at /a [abababab]"');
});

test('a chain is reported link by link, each with its command', () => {
  const link = (title: string, gives: string, breaksChain: boolean) => ({
    ...{ actionId: 'a.b', title, gives, breaksChain, proof: { curl: `curl ${title}` } },
  });
  const chain = [link('Key', 'signing-secret', true), link('Forged', 'session(admin)', false)];
  const findings = [FindingBody.parse({ ...finding, proof: { curl: 'curl Forged' }, chain })];
  const xml = junitXml({ scan: scanOf([]), gate: gateOf('pass'), findings });
  assert.match(xml, '1. Key: gives signing-secret. Fix this first to break the chain\nTo see it: curl Key');
  assert.match(xml, '2. Forged: gives session(admin)\nTo see it: curl Forged');
  assert.is(xml.split('curl Forged').length, 2);
});

test('commands of several lines begin at a line of their own', () => {
  const findings = [FindingBody.parse({ ...finding, proof: { curl: 'X=1\ncurl "$X"' } })];
  const xml = junitXml({ scan: scanOf([]), gate: gateOf('pass'), findings });
  assert.match(xml, 'To see it:\nX=1\ncurl ');
});

test('what blocks before the scan has ended is there, without its details', () => {
  const xml = junitXml({ scan: scanOf([]), gate: gateOf('fail', [finding]), findings: [] });
  assert.match(xml, 'classname="headers.hsts-missing" name="No HSTS at /a [abababab]"');
  assert.not.match(xml, 'To fix it');
});

test.run();
