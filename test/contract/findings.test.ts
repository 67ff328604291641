import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { firstRows } from '../support/further.ts';
import { createOrg, type TestOrg } from './support/orgs.ts';
import { assertRefused } from './support/refusals.ts';
import { complete } from './support/scans.ts';
import { fieldOf, listOf } from './support/values.ts';
import { startWorld, type World, ways } from './support/world.ts';

type Context = World & { org: TestOrg; runId: string };
const test = suite('GET /api/v1/scans/:id/findings', {} as Context);
test.before(async (context) => {
  Object.assign(context, await startWorld());
  context.org = await createOrg(context);
  context.runId = await complete(context, context.org, [
    { severity: 'low' },
    { severity: 'critical' },
    { severity: 'info' },
    { severity: 'high', path: '/a' },
    { severity: 'high', path: '/b' },
    { severity: 'medium' },
  ]);
});
test.after((world) => world.close());

const severitiesOf = (body: unknown) => listOf(body, 'items').map((item) => fieldOf(item, 'severity'));
const worstFirst = ['critical', 'high', 'high', 'medium', 'low', 'info'];

test('answers the same over REST and gRPC, with every part of a finding', async ({ org, runId, ...world }) => {
  const rest = await world.rest('ScanService/ListFindings', { runId }, { key: org.key });
  const grpc = await world.grpc('ScanService/ListFindings', { runId }, { key: org.key });
  assert.is(rest.status, 200);
  assert.equal(rest.body, grpc.body);
  const { id, fingerprint, ...finding } = fieldOf(rest.body, 'items.3') as Record<string, unknown>;
  assert.match(String(fingerprint), /^[0-9a-f]{32}$/);
  assert.ok(id);
  const location = { url: 'https://example.com/', method: 'GET', parameter: 'q', parameterIn: 'query' };
  assert.equal(finding, {
    checkId: 'headers.hsts-missing',
    title: 'Finding <b>medium</b> at /',
    severity: 'medium',
    cvss: { version: '3.1', vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N', score: 5.3 },
    cwe: 319,
    owasp: 'A02:2025',
    category: 'headers',
    location,
    locations: [location],
    description: 'What it is.',
    impact: 'What it allows.',
    remediation: 'What to do.',
    references: ['RFC 6797'],
    proof: {
      verifiedAt: '2026-01-31T12:00:00.250Z',
      steps: [
        {
          http: { method: 'GET', url: 'https://example.com/', headers: [], body: '', copies: 0 },
          identity: '',
          assertions: [{ subject: 'header:strict-transport-security', operator: 'absent', expected: '', note: '' }],
          observation: { summary: 'HTTP/1.1 200 OK', headers: [], excerpt: 'ok', marks: [], values: [] },
          captures: [],
          note: 'The header is missing.',
          write: false,
        },
      ],
      control: [
        {
          http: { method: 'GET', url: 'https://example.com/', headers: [], body: '', copies: 0 },
          identity: '',
          assertions: [{ subject: 'header:content-type', operator: 'absent', expected: '', note: '' }],
          observation: { summary: 'HTTP/1.1 200 OK', headers: [], excerpt: 'ok', marks: [], values: [] },
          captures: [],
          note: 'A header that is there is not taken for absent.',
          write: false,
        },
      ],
      curl: "curl -sSI 'https://example.com/'",
      trials: 2,
    },
    chain: [],
    firstSeenRunId: runId,
    baselineState: 'new',
    state: 'open',
  });
});

for (const way of firstRows(ways, 1)) {
  test(`${way}: lists the worst first`, async ({ org, runId, ...world }) => {
    const { body } = await world[way]('ScanService/ListFindings', { runId }, { key: org.key });
    assert.equal(severitiesOf(body), worstFirst);
    assert.not('nextCursor' in (body as object));
  });

  test(`${way}: filters by severity, least severity and state`, async ({ org, runId, ...world }) => {
    const list = async (request: object) =>
      severitiesOf((await world[way]('ScanService/ListFindings', { runId, ...request }, { key: org.key })).body);
    assert.equal(await list({ severity: ['high'] }), ['high', 'high']);
    assert.equal(await list({ severity: ['info', 'critical'] }), ['critical', 'info']);
    assert.equal(await list({ minSeverity: 'medium' }), ['critical', 'high', 'high', 'medium']);
    assert.equal(await list({ minSeverity: 'high', severity: ['low', 'critical'] }), ['critical']);
    assert.equal(await list({ state: 'open' }), worstFirst);
    assert.equal(await list({ state: 'accepted_risk' }), []);
    assert.equal(await list({ state: 'false_positive' }), []);
  });

  test(`${way}: goes through all findings page by page, each once`, async ({ org, runId, ...world }) => {
    const seen: unknown[] = [];
    const ids = new Set<unknown>();
    let cursor = '';
    for (let page = 0; page < 3; page += 1) {
      const request = { runId, limit: 2, ...(cursor && { cursor }) };
      const { body } = await world[way]('ScanService/ListFindings', request, { key: org.key });
      seen.push(...severitiesOf(body));
      for (const item of listOf(body, 'items')) ids.add(fieldOf(item, 'id'));
      cursor = String(fieldOf(body, 'nextCursor') ?? '');
    }
    assert.is(cursor, '');
    assert.equal(seen, worstFirst);
    assert.is(ids.size, worstFirst.length);
  });

  test(`${way}: distinguishes findings that the scan before had from new ones, and remembers who saw them first`, async (context) => {
    const { org: _, runId: __, ...world } = context;
    const org = await createOrg(world);
    const before = await complete(world, org, [{ severity: 'high' }]);
    const after = await complete(world, org, [{ severity: 'high' }, { severity: 'low' }]);
    const { body } = await world[way]('ScanService/ListFindings', { runId: after }, { key: org.key });
    assert.is(fieldOf(body, 'items.0.baselineState'), 'unchanged');
    assert.is(fieldOf(body, 'items.0.firstSeenRunId'), before);
    assert.is(fieldOf(body, 'items.1.baselineState'), 'new');
    assert.is(fieldOf(body, 'items.1.firstSeenRunId'), after);
  });

  for (const [what, request, field] of [
    ['a limit of 0', { limit: 0 }, 'limit'],
    ['a limit of 101', { limit: 101 }, 'limit'],
    ['a cursor that no page gave', { cursor: 'abc' }, 'cursor'],
  ] as const) {
    test(`${way}: refuses ${what}`, async ({ org, runId, ...world }) => {
      const outcome = await world[way]('ScanService/ListFindings', { runId, ...request }, { key: org.key });
      assertRefused(outcome, way, 'INVALID_PARAMETER');
      assert.is(fieldOf(outcome.body, 'errors.0.field'), field);
    });
  }
}

test('answers an empty list for a scan that found nothing', async ({ org: _, runId: __, ...world }) => {
  const org = await createOrg(world);
  const clean = await complete(world, org);
  const { status, body } = await world.rest('ScanService/ListFindings', { runId: clean }, { key: org.key });
  assert.is(status, 200);
  assert.equal(body, { items: [] });
});

for (const [name, value] of [
  ['severity', 'worst'],
  ['severity', 'HIGH'],
  ['severity', 'high,low'],
  ['severity', 'unspecified'],
  ['minSeverity', '4'],
  ['state', 'closed'],
  ['limit', '1.5'],
  ['min_severity', 'high'],
  ['status', 'completed'],
] as const) {
  test(`refuses ${name}=${value}`, async ({ org, runId, ...world }) => {
    const outcome = await world.rest('ScanService/ListFindings', { runId, [name]: value }, { key: org.key });
    assertRefused(outcome, 'rest', 'INVALID_PARAMETER');
    assert.is(fieldOf(outcome.body, 'errors.0.field'), name);
  });
}

test.run();
