import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readersVariables } from '../../dev/demo/reader.ts';
import { AuditProgress } from '../../dev/progress.ts';
import type { RestFinding, RestGate, RestScan } from '../../dev/rest.ts';
import { chainsTable, curlLines, exportLines, findingsTable, gateText } from '../../dev/summary.ts';

const finding = (severity: string, title: string, url: string, more: Partial<RestFinding> = {}): RestFinding => ({
  severity,
  title,
  location: { url, method: 'GET' },
  chain: [],
  ...more,
});
const chainOf = (...actionIds: string[]): RestFinding['chain'] =>
  actionIds.map((actionId, index) => ({
    actionId,
    gives: index === actionIds.length - 1 ? 'session(admin)' : 'key',
    breaksChain: index === 0,
  }));

const Table = suite('the table of findings');

const takeover = finding('critical', 'Takeover', 'https://shop.localhost:1/admin', {
  chain: chainOf('exposure.git', 'chains.key', 'chains.forge'),
});

Table('names a place in the DNS by its question', () => {
  const records = { url: 'dns:shop.localhost?type=MX', method: 'DNS' };
  const copy = { url: 'dns://ns1.shop.localhost/shop.localhost?type=AXFR', method: 'DNS' };
  const table = findingsTable([records, copy].map((location) => finding('low', 'Records', location.url, { location })));
  assert.match(table, 'DNS dns:shop.localhost?type=MX');
  assert.match(table, 'DNS dns://ns1.shop.localhost/shop.localhost?type=AXFR');
});

Table('shows severity, title and place in columns, and how many there are', () => {
  const other = finding('low', 'No HSTS', 'https://shop.localhost:1/', {
    location: { url: 'https://shop.localhost:1/search', method: 'GET', parameter: 'q' },
  });
  assert.is(
    findingsTable([finding('high', 'Repository', 'https://shop.localhost:1/.git/HEAD'), other]),
    [
      'SEVERITY  FINDING     PLACE',
      'high      Repository  GET /.git/HEAD',
      'low       No HSTS     GET /search [q]',
      '2 findings',
    ].join('\n'),
  );
});

Table('leaves chains to their own table', () => {
  assert.is(findingsTable([takeover]), 'No verified findings.');
  const table = findingsTable([takeover, finding('low', 'No HSTS', 'https://shop.localhost:1/')]);
  assert.not.match(table, 'Takeover');
  assert.match(table, /\n1 finding$/);
});

Table('shortens long titles, and says when there is nothing', () => {
  const table = findingsTable([finding('low', 'x'.repeat(100), 'https://shop.localhost:1/a')]);
  assert.match(table, /x… /);
  assert.ok(table.split('\n').every((line) => line.length < 100));
  assert.is(findingsTable([]), 'No verified findings.');
});

Table.run();

const Chains = suite('the table of chains');

Chains('shows severity, goal, links in order and what to fix first, and ends with how many there are', () => {
  const short = finding('high', 'Takeover', 'https://shop.localhost:1/admin', {
    chain: chainOf('exposure.env', 'chains.forge'),
  });
  assert.is(
    chainsTable([takeover, finding('low', 'No HSTS', 'https://shop.localhost:1/'), short]),
    [
      'SEVERITY  GOAL            CHAIN                                     FIX FIRST',
      'critical  session(admin)  exposure.git → chains.key → chains.forge  exposure.git',
      'high      session(admin)  exposure.env → chains.forge               exposure.env',
      '2 chains',
    ].join('\n'),
  );
});

Chains('counts one, and none', () => {
  assert.match(chainsTable([takeover]), /\n1 chain$/);
  assert.is(chainsTable([finding('low', 'No HSTS', 'https://shop.localhost:1/')]), '0 chains');
});

Chains.run();

const gate = (more: Partial<RestGate>): RestGate => ({
  verdict: 'pass',
  reason: 'No verified finding is high or worse.',
  threshold: 'high',
  coverage: { complete: true, gaps: [], limits: [] },
  ...more,
});

const Verdict = suite('the text of the gate');

Verdict('is the verdict with its threshold and reason', () => {
  assert.is(gateText(gate({})), 'Gate (threshold high): PASS. No verified finding is high or worse.');
});

Verdict('names what was not looked at, the first twelve', () => {
  const gaps = Array.from({ length: 14 }, (_, index) => ({
    code: 'budget',
    count: 1,
    subject: `check-${index}`,
    text: 'no browser',
  }));
  const text = gateText(gate({ verdict: 'inconclusive', coverage: { complete: false, gaps, limits: [] } }));
  assert.match(text, 'INCONCLUSIVE');
  assert.match(text, '  check-11: no browser\n  and 2 more, in the report');
  assert.not.match(text, 'check-12');
});

Verdict('names the limits of an audit that is complete', () => {
  const limits = [{ code: 'budget', count: 1, subject: 'survey', text: '17 forms were not sent: they would write' }];
  const text = gateText(gate({ coverage: { complete: true, gaps: [], limits } }));
  assert.match(text, 'Coverage is complete, with limits:\n  survey: 17 forms were not sent: they would write');
});

Verdict.run();

const Curl = suite('the commands');

Curl('name the key once and hold the scan and the target', () => {
  const lines = curlLines({
    gatewayUrl: 'http://127.0.0.1:8080',
    apiKey: 'sa_key',
    runId: 'run-1',
    targetUrl: 'https://shop.localhost:1/',
  });
  assert.is(lines.match(/sa_key/g)?.length, 1);
  assert.match(lines, `curl -sS -H "authorization: Bearer $KEY" http://127.0.0.1:8080/api/v1/scans/run-1\n`);
  assert.match(lines, `-d '{"url":"https://shop.localhost:1/","depth":"deep"}'`);
});

Curl('export what the commands of a deep audit ask for, in words that a shell takes as they are', () => {
  const lines = exportLines(readersVariables).split('\n');
  assert.ok(lines.includes('export PASSWORD_B=amber-lantern-38'));
  assert.ok(lines.some((line) => line.startsWith('export SIGNING_KEY=')));
  for (const line of lines) assert.match(line, /^export [A-Z_]+=[\w@.-]+$/);
});

Curl.run();

const scan = (more: Partial<RestScan>): RestScan => ({
  status: 'running',
  phase: 'standard',
  progress: 0.5,
  findingsCount: 3,
  severity: { critical: 0, high: 1, medium: 1, low: 1, info: 0 },
  requests: 120,
  ...more,
});

function shown(isTTY: boolean, scans: RestScan[]): string {
  let written = '';
  const progress = new AuditProgress({ isTTY, columns: 120, write: (text) => (written += text) });
  for (const one of scans) progress.show(one);
  progress.end();
  return written;
}

const Bar = suite('progress');

Bar('is one line that is rewritten on a terminal', () => {
  const written = shown(true, [scan({}), scan({ progress: 0.75 })]);
  assert.is(written.match(/\r/g)?.length, 2);
  assert.is(written.match(/\n/g)?.length, 1);
  assert.match(
    written,
    `${'█'.repeat(12)}${'░'.repeat(12)}  50 %  running the standard checks (3 verified, 120 requests`,
  );
});

Bar('is a line for each phase elsewhere', () => {
  const written = shown(false, [
    scan({ phase: 'queued' }),
    scan({}),
    scan({ progress: 0.6 }),
    scan({ phase: 'finish' }),
  ]);
  assert.equal(
    written
      .trim()
      .split('\n')
      .map((line) => /%\s+([^(]+) \(/.exec(line)?.[1]),
    ['waiting for a worker', 'running the standard checks', 'writing the results'],
  );
});

Bar('shows a phase that it does not know by its name, and never more than all', () => {
  assert.match(shown(false, [scan({ phase: 'undo', progress: 2 })]), `${'█'.repeat(24)} 100 %  undo (`);
});

Bar.run();
