import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { maxResults, sarifLog } from '../../../core/findings/sarif/sarif.ts';
import { artifactUri, clipped, markdownText, messageText } from '../../../core/findings/sarif/text.ts';
import { OmissionCode } from '../../../proto/gen/scanaudit/v1/coverage_pb.ts';
import { type Finding, FindingState, Severity } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { hostileInput } from '../report/hostile-input.ts';
import { payloads } from '../report/payloads.ts';
import { auditFindings } from '../report/sample-audit.ts';
import { sampleFinding, sampleScan } from '../report/samples.ts';
import { schemaErrors } from './sarif-schema.ts';

/** The parts that GitHub code scanning reads, with what it demands of them. */
const Location = z.object({
  physicalLocation: z.object({
    artifactLocation: z.object({ uri: z.string() }),
    region: z.object({ startLine: z.number().min(1) }),
  }),
  message: z.object({ text: z.string() }).optional(),
});
const FlowLocation = z.object({ location: Location, properties: z.record(z.string(), z.unknown()) });
const Rule = z.object({
  id: z.string().min(1),
  name: z.string().max(255),
  shortDescription: z.object({ text: z.string().min(1).max(1_024) }),
  fullDescription: z.object({ text: z.string().min(1).max(1_024) }),
  help: z.object({ text: z.string().min(1), markdown: z.string().min(1) }),
  helpUri: z.url().optional(),
  defaultConfiguration: z.object({ level: z.enum(['error', 'warning', 'note']) }),
  properties: z.object({
    tags: z.array(z.string()).max(10),
    precision: z.string(),
    'security-severity': z
      .string()
      .regex(/^(10|\d)\.\d$/)
      .optional(),
  }),
});
const Result = z.object({
  ruleId: z.string(),
  ruleIndex: z.number(),
  level: z.enum(['error', 'warning', 'note']),
  message: z.object({ text: z.string().min(1) }),
  locations: z.array(Location).length(1),
  relatedLocations: z.array(Location).optional(),
  codeFlows: z.array(z.object({ threadFlows: z.array(z.object({ locations: z.array(FlowLocation) })) })).optional(),
  partialFingerprints: z.object({ primaryLocationLineHash: z.string().regex(/^[0-9a-f]{32}:1$/) }),
  baselineState: z.enum(['new', 'unchanged']),
  suppressions: z.array(z.unknown()).optional(),
  properties: z.looseObject({ command: z.string().optional() }),
});
const Log = z.object({
  version: z.literal('2.1.0'),
  runs: z.tuple([
    z.object({
      tool: z.object({ driver: z.object({ name: z.string(), rules: z.array(Rule) }) }),
      automationDetails: z.object({ id: z.string() }),
      invocations: z.tuple([
        z.object({
          executionSuccessful: z.boolean(),
          toolExecutionNotifications: z.array(z.object({ message: z.object({ text: z.string() }) })).optional(),
        }),
      ]),
      results: z.array(Result),
    }),
  ]),
});

/** What a service reads, after the way through JSON; valid by the official schema. */
function runOf(findings: readonly Finding[], scan = sampleScan()) {
  const log = sarifLog(scan);
  for (const finding of findings) log.add(finding);
  const json: unknown = JSON.parse(Buffer.from(log.end()).toString());
  assert.equal(schemaErrors(json), []);
  return Log.parse(json).runs[0];
}

const test = suite('SARIF');

test('is valid by the official schema, and what GitHub reads is there, for an audit and for no findings', () => {
  const run = runOf(auditFindings());
  assert.is(run.results.length, auditFindings().length);
  assert.is(run.tool.driver.name, 'Scan Audit');
  assert.match(run.automationDetails.id, /^scan-audit\/shop\.example\/deep\/[0-9a-f-]{36}$/);
  assert.equal(runOf([]).results, []);
});

test('the schema is one that refuses', () => {
  assert.ok(schemaErrors({ version: '2.1.0', runs: [{ tool: { driver: {} } }] }).length > 0);
});

test('has one rule a check, which each of its results points to', () => {
  const { tool, results } = runOf(auditFindings());
  const ids = tool.driver.rules.map(({ id }) => id);
  assert.is(new Set(ids).size, ids.length);
  for (const { ruleId, ruleIndex } of results) assert.is(ids[ruleIndex], ruleId);
});

for (const [severity, score, level] of [
  [Severity.CRITICAL, 9.8, 'error'],
  [Severity.HIGH, 7.5, 'error'],
  [Severity.MEDIUM, 5.3, 'warning'],
  [Severity.LOW, 3.1, 'note'],
] as const) {
  test(`rates a score of ${score} as ${level}`, () => {
    const cvss = { version: '3.1', vector: 'CVSS:3.1/AV:N', score };
    const { tool, results } = runOf([sampleFinding({ severity, cvss })]);
    assert.is(results[0]?.level, level);
    assert.is(tool.driver.rules[0]?.defaultConfiguration.level, level);
    assert.is(tool.driver.rules[0]?.properties['security-severity'], score.toFixed(1));
  });
}

test('a rule has the worst score of its results, and none when that is 0', () => {
  const scored = (score: number) => sampleFinding({ cvss: { version: '3.1', vector: '', score } });
  const ruleOf = (...findings: Finding[]) => runOf(findings).tool.driver.rules[0]?.properties;
  assert.is(ruleOf(scored(6.1), scored(8.2))?.['security-severity'], '8.2');
  assert.not('security-severity' in (ruleOf(scored(0)) ?? {}));
});

test('tags CWE and OWASP as GitHub filters them', () => {
  const tags = runOf([sampleFinding({ cwe: 79, owasp: 'A05:2025' })]).tool.driver.rules[0]?.properties.tags;
  assert.equal(tags, ['security', 'injection', 'external/cwe/cwe-079', 'external/owasp/a05-2025']);
});

test('the fingerprint is that of the finding, so that an alert stays the same over scans', () => {
  const finding = sampleFinding({ fingerprint: 'ab'.repeat(16) });
  assert.is(runOf([finding]).results[0]?.partialFingerprints.primaryLocationLineHash, `${'ab'.repeat(16)}:1`);
});

const uris: [string, string][] = [
  ['https://shop.example/', 'shop.example'],
  ['https://shop.example/a/b/?q=1#x', 'shop.example/a/b'],
  ['https://shop.example:8443/a', 'shop.example%3A8443/a'],
  ['https://[2001:db8::1]:8443/a', '%5B2001%3Adb8%3A%3A1%5D%3A8443/a'],
  ['https://shop.example/ä/%zz/[x]|y', 'shop.example/%C3%A4/%25zz/%5Bx%5D%7Cy'],
  ['shop.example:443', 'shop.example%3A443'],
  ['_dmarc.shop.example', '_dmarc.shop.example'],
  ['', 'unknown'],
];
for (const [url, uri] of uris) {
  test(`places ${url || 'nothing'} at ${uri}, which has no scheme`, () => {
    assert.is(artifactUri(url), uri);
    assert.is(URL.parse(uri), null);
    assert.is(new URL(uri, 'file:///repository/').protocol, 'file:');
  });
}

test('names the place with its parameter, what to do, and how to see it', () => {
  const [result] = runOf([sampleFinding()]).results;
  const text = result?.message.text ?? '';
  assert.match(text, 'GET https://shop.example/search?q=oak, query parameter q');
  assert.match(text, 'To fix it: Encode the value');
  assert.match(text, 'To see it: curl -sS');
});

test('gives commands of several lines as they are, beside the message', () => {
  const curl = "bash -e <<'END'\nX=$(curl -sS https://shop.example/ | sed -nE 's/a[^\"]*{2}//p')\nEND";
  const [result] = runOf([sampleFinding({ proof: { curl } })]).results;
  assert.is(result?.properties.command, curl);
  assert.match(result?.message.text ?? '', 'To see it: paste the commands of the property');
  assert.not.match(result?.message.text ?? '', 'bash -e');
});

const chain = [
  {
    actionId: 'exposure.git',
    title: 'Repository',
    gives: 'source',
    breaksChain: true,
    location: { url: 'https://shop.example/.git/HEAD', method: 'GET' },
    proof: {
      steps: [{ note: 'The head is served.', observation: { summary: 'HTTP/1.1 200 OK' } }],
      control: [{ note: 'A folder beside it is not.', observation: { summary: 'HTTP/1.1 404 Not Found' } }],
      curl: 'curl -sS https://shop.example/.git/HEAD',
    },
  },
  { actionId: 'chains.session', title: 'Forged session', gives: 'session(admin)', breaksChain: false },
];
const flowOf = (finding: Finding) => runOf([finding]).results[0]?.codeFlows?.[0]?.threadFlows[0]?.locations ?? [];

test('shows a chain as a flow of its links, each at its place', () => {
  const flow = flowOf(sampleFinding({ chain }));
  assert.equal(
    flow.map(({ location }) => location.message?.text),
    [
      '1. Repository: gives source. Fix this first to break the chain\n\nTo see it: curl -sS https://shop.example/.git/HEAD',
      '2. Forged session: gives session(admin)',
    ],
  );
  assert.equal(
    flow.map(({ location }) => location.physicalLocation.artifactLocation.uri),
    ['shop.example/.git/HEAD', 'shop.example/search'],
  );
});

test('each link of a chain says what it gives, its evidence, its control and its command', () => {
  const [first, second] = flowOf(sampleFinding({ chain }));
  assert.equal(first?.properties, {
    gives: 'source',
    evidence: ['The head is served. Observed: HTTP/1.1 200 OK'],
    control: ['A folder beside it is not. Observed: HTTP/1.1 404 Not Found'],
    command: 'curl -sS https://shop.example/.git/HEAD',
  });
  assert.equal(second?.properties, { gives: 'session(admin)' });
});

test('the rule of chains that reach the same over several ways has the title that they share', () => {
  const run = runOf(
    ['one', 'two'].map((way) => sampleFinding({ title: `Forged session, starting from: ${way}`, chain })),
  );
  assert.equal(
    run.tool.driver.rules.map(({ name }) => name),
    ['Forged session'],
  );
  assert.match(run.results[1]?.message.text ?? '', 'starting from: two');
});

test('suppresses accepted risks and false positives, and nothing else', () => {
  const suppressed = (state: FindingState) => runOf([sampleFinding({ state })]).results[0]?.suppressions?.length ?? 0;
  assert.is(suppressed(FindingState.OPEN), 0);
  assert.is(suppressed(FindingState.ACCEPTED_RISK), 1);
  assert.is(suppressed(FindingState.FALSE_POSITIVE), 1);
});

test('says what was not looked at', () => {
  const gaps = [{ code: OmissionCode.LOGIN_NOT_PROVEN, subject: 'login:a', count: 1, text: 'wrong password' }];
  const coverage = { complete: false, families: [], gaps };
  const notesOf = (...more: Parameters<typeof runOf>) =>
    (runOf(...more).invocations[0].toolExecutionNotifications ?? []).map(({ message }) => message.text);
  assert.equal(notesOf([], sampleScan({ coverage })), ['Not looked at: login:a: wrong password']);
  const limits = [{ code: OmissionCode.WOULD_WRITE, subject: 'survey', count: 17, text: '17 forms' }];
  assert.equal(notesOf([], sampleScan({ coverage: { complete: true, limits } })), [
    'Beyond the limits of this audit: survey: 17 forms',
  ]);
  assert.equal(notesOf([]), []);
});

test('has no more results than services show, and says so', () => {
  const log = sarifLog(sampleScan());
  const finding = sampleFinding();
  const taken = Array.from({ length: maxResults + 10 }, () => log.add(finding));
  assert.equal([taken.indexOf(false), taken.lastIndexOf(true)], [maxResults, maxResults - 1]);
  const { invocations, results } = JSON.parse(Buffer.from(log.end()).toString()).runs[0];
  assert.is(results.length, maxResults);
  assert.match(JSON.stringify(invocations), `more findings than the ${maxResults} worst`);
});

test('stays small however long the texts of a finding are', () => {
  const long = 'a'.repeat(1_000_000);
  const location = { url: `https://shop.example/${long}`, method: long, parameter: long };
  const step = { note: long, observation: { summary: long } };
  const proof = { steps: Array.from({ length: 40 }, () => step), control: [step], curl: long };
  const link = { actionId: long, title: long, gives: long, location, proof };
  const finding = sampleFinding({
    ...{ title: long, description: long, impact: long, remediation: long, location },
    chain: Array.from({ length: 60 }, () => link),
  });
  const run = runOf([finding]);
  assert.ok(JSON.stringify(run).length < 150_000, String(JSON.stringify(run).length));
});

test('takes every text for hostile: valid by the schema, and no link, placeholder or markup comes of it', () => {
  for (const payload of [...payloads, '[x](https://evil.example) {0} \\', '\ud800 \u0000 \u001b[2J', '`x`<b>`']) {
    const { scan, findings } = hostileInput(payload);
    for (const finding of findings) finding.fingerprint = '0'.repeat(32);
    const run = runOf(findings, { ...scan, host: 'shop.example' });
    assert.ok(JSON.stringify(run).isWellFormed() && !/\\ud[89a-f]/.test(JSON.stringify(run)), payload);
    for (const { message } of run.results) assert.not.match(message.text, /(?<!\\)[[\]]|(?<!\{)\{(?!\{)/, payload);
    for (const { help } of run.tool.driver.rules) {
      const outsideOfCode = help.markdown.replace(/(?<!\\)`[^`]*`/g, '').replace(/\]\(https?:[^\s()<>]*\)/g, ']');
      assert.not.match(outsideOfCode, /(?<!\\)(\\\\)*<|(?<!\\)(\\\\)*!\[/, payload);
    }
  }
});

test('markdownText keeps code as code and escapes all else', () => {
  assert.is(markdownText('Set `a_b: <c>` and *not* <d>'), 'Set `a_b: <c>` and \\*not\\* \\<d\\>');
  assert.is(markdownText('one ` alone'), 'one \\` alone');
  assert.is(markdownText('``'), '');
});

test('messageText escapes links and placeholders', () => {
  assert.is(messageText('[a](b) {0} \\'), '\\[a\\](b) {{0}} \\\\');
});

test('clipped never cuts a character in two', () => {
  assert.is(clipped('ab\u{1f600}', 3), 'ab…');
  assert.is(clipped('a\u{1f600}b', 3), 'a\ufffd…');
  assert.is(clipped('abc', 3), 'abc');
});

test.run();
