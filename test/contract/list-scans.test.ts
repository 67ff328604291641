import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { firstRows } from '../support/further.ts';
import { createOrg, type TestOrg } from './support/orgs.ts';
import { assertRefused } from './support/refusals.ts';
import { complete, start } from './support/scans.ts';
import { fieldOf, listOf } from './support/values.ts';
import { startWorld, type World, ways } from './support/world.ts';

type Context = World & { org: TestOrg; runIds: string[] };
const test = suite('GET /api/v1/scans', {} as Context);

test.before(async (context) => {
  Object.assign(context, await startWorld());
  context.org = await createOrg(context);
  const org = context.org;
  context.runIds = [
    await complete(context, org, [{ severity: 'low' }], { url: 'a.example.com' }),
    await start(context, org, 'b.example.com'),
    await start(context, org, 'c.example.com', 'deep'),
    await start(context, org, 'b.example.com', 'deep'),
    await start(context, org, 'c.example.com'),
  ];
  // Another org's scans, which nobody here may see.
  const other = await createOrg(context);
  await start(context, other, 'b.example.com');
});
test.after((world) => world.close());

const idsOf = (body: unknown) => listOf(body, 'items').map((item) => String(fieldOf(item, 'runId')));

for (const way of firstRows(ways, 1)) {
  test(`${way}: lists the org's own scans, newest first`, async ({ org, runIds, ...world }) => {
    const { reason, body } = await world[way]('ScanService/ListScans', {}, { key: org.key });
    assert.is(reason, 'OK');
    assert.equal(idsOf(body), runIds.toReversed());
    assert.not('nextCursor' in (body as object));
  });

  test(`${way}: shows in the list what it shows of a single scan`, async ({ org, runIds, ...world }) => {
    const { body } = await world[way]('ScanService/ListScans', {}, { key: org.key });
    for (const [index, runId] of runIds.toReversed().entries()) {
      const single = await world[way]('ScanService/GetScan', { runId }, { key: org.key });
      assert.equal(fieldOf(body, `items.${index}`), single.body);
    }
  });

  test(`${way}: goes through all scans page by page, each once`, async ({ org, runIds, ...world }) => {
    const seen: string[] = [];
    let cursor = '';
    for (let page = 0; page < 3; page += 1) {
      const { body } = await world[way](
        'ScanService/ListScans',
        { limit: 2, ...(cursor && { cursor }) },
        { key: org.key },
      );
      assert.ok(idsOf(body).length <= 2);
      seen.push(...idsOf(body));
      cursor = String(fieldOf(body, 'nextCursor') ?? '');
    }
    assert.is(cursor, '');
    assert.equal(seen, runIds.toReversed());
  });

  test(`${way}: moves nothing on the next page when a scan starts meanwhile`, async ({ ...world }) => {
    const org = await createOrg(world);
    const first = await start(world, org);
    const second = await start(world, org);
    const page = await world[way]('ScanService/ListScans', { limit: 1 }, { key: org.key });
    assert.equal(idsOf(page.body), [second]);
    await start(world, org);
    const cursor = fieldOf(page.body, 'nextCursor');
    const next = await world[way]('ScanService/ListScans', { limit: 1, cursor }, { key: org.key });
    assert.equal(idsOf(next.body), [first]);
  });

  test(`${way}: filters by status, host, depth and time`, async ({ org, runIds, ...world }) => {
    const [a = '', b = '', c = '', d = '', e = ''] = runIds;
    const list = async (request: object) =>
      idsOf((await world[way]('ScanService/ListScans', request, { key: org.key })).body);
    assert.equal(await list({ status: 'completed' }), [a]);
    assert.equal(await list({ status: 'queued' }), [e, d, c, b]);
    assert.equal(await list({ status: 'failed' }), []);
    assert.equal(await list({ host: 'b.example.com' }), [d, b]);
    assert.equal(await list({ host: 'B.EXAMPLE.com.' }), [d, b]);
    assert.equal(await list({ depth: 'deep' }), [d, c]);
    assert.equal(await list({ depth: 'deep', host: 'c.example.com', status: 'queued' }), [c]);
    const { body } = await world[way]('ScanService/GetScan', { runId: c }, { key: org.key });
    const createdAt = String(fieldOf(body, 'createdAt'));
    assert.equal(await list({ createdAfter: createdAt }), [e, d]);
    assert.equal(await list({ createdBefore: createdAt }), [b, a]);
    assert.equal(await list({ createdAfter: '2100-01-01T00:00:00Z' }), []);
    assert.equal(await list({ createdBefore: '0001-01-01T00:00:00Z' }), []);
  });

  for (const [what, request, field] of [
    ['a limit of 0', { limit: 0 }, 'limit'],
    ['a negative limit', { limit: -1 }, 'limit'],
    ['a limit of 101', { limit: 101 }, 'limit'],
    ['a cursor that no page gave', { cursor: 'abc' }, 'cursor'],
    ['a cursor of another list', { cursor: Buffer.from('[5,"a"]').toString('base64url') }, 'cursor'],
    ['a host that is none', { host: 'a b' }, 'host'],
    ['a URL for a host', { host: 'https://a.example.com/x' }, 'host'],
    ['U+0000 in a host', { host: 'a\u0000' }, 'host'],
  ] as const) {
    test(`${way}: refuses ${what}`, async ({ org, ...world }) => {
      const outcome = await world[way]('ScanService/ListScans', request, { key: org.key });
      assertRefused(outcome, way, 'INVALID_PARAMETER');
      assert.is(fieldOf(outcome.body, 'errors.0.field'), field);
    });
  }
}

for (const [what, request, field] of [
  ['an unknown parameter', { colour: 'red' }, 'colour'],
  ['a snake_case parameter', { created_after: '2026-01-01T00:00:00Z' }, 'created_after'],
  ['a parameter of another endpoint', { severity: 'high' }, 'severity'],
  ['a limit that is no number', { limit: 'many' }, 'limit'],
  ['an empty limit', { limit: '' }, 'limit'],
  ['a limit beyond 32 bits', { limit: '4294967297' }, 'limit'],
  ['two limits', { limit: ['1', '2'] }, 'limit'],
  ['an unknown status', { status: 'done' }, 'status'],
  ['a status in capitals', { status: 'COMPLETED' }, 'status'],
  ['a number for a status', { status: '3' }, 'status'],
  ['an unknown depth', { depth: 'shallow' }, 'depth'],
  ['a day for a time', { createdAfter: '2026-01-01' }, 'createdAfter'],
  ['a day that does not exist', { createdBefore: '2026-02-30T00:00:00Z' }, 'createdBefore'],
] as const) {
  test(`refuses ${what}`, async ({ org, ...world }) => {
    const outcome = await world.rest('ScanService/ListScans', request, { key: org.key });
    assertRefused(outcome, 'rest', 'INVALID_PARAMETER');
    assert.is(fieldOf(outcome.body, 'errors.0.field'), field);
  });
}

test('gives 20 scans a page unless asked otherwise, and up to 100', async ({ ...world }) => {
  const org = await createOrg(world);
  const started = await Promise.all(Array.from({ length: 22 }, () => start(world, org)));
  const count = async (request: object) =>
    listOf((await world.rest('ScanService/ListScans', request, { key: org.key })).body, 'items').length;
  assert.is(await count({}), 20);
  assert.is(await count({ limit: 100 }), started.length);
  assert.is(await count({ limit: 1 }), 1);
});

test.run();
