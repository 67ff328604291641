import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { firstRows } from '../support/further.ts';
import { approve, createOrg } from './support/orgs.ts';
import { assertRefused } from './support/refusals.ts';
import { fieldOf, listOf } from './support/values.ts';
import { startWorld, type World, ways } from './support/world.ts';

const test = suite('POST /api/v1/scans', {} as World);
test.before(async (context) => {
  Object.assign(context, await startWorld());
});
test.after((world) => world.close());

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

for (const way of firstRows(ways, 1)) {
  test(`${way}: answers with runId and host, and nothing else`, async (world) => {
    const { key } = await createOrg(world);
    const outcome = await world[way]('ScanService/StartScan', { url: 'https://www.example.com/a' }, { key });
    assert.is(outcome.reason, 'OK');
    assert.equal(Object.keys(outcome.body as object).sort(), ['host', 'runId']);
    assert.is(fieldOf(outcome.body, 'host'), 'www.example.com');
    assert.match(String(fieldOf(outcome.body, 'runId')), uuidV7);
  });

  test(`${way}: starts a standard scan unless asked otherwise, for 1 credit, and a deep one for 5`, async (world) => {
    const { key } = await createOrg(world, { credits: 10 });
    for (const [request, depth, left] of [
      [{ url: 'example.com' }, 'standard', 9],
      [{ url: 'example.com', depth: 'standard' }, 'standard', 8],
      [{ url: 'example.com', depth: 'deep' }, 'deep', 3],
    ] as const) {
      const { body } = await world[way]('ScanService/StartScan', request, { key });
      const scan = await world[way]('ScanService/GetScan', { runId: fieldOf(body, 'runId') }, { key });
      assert.is(fieldOf(scan.body, 'depth'), depth);
      const org = await world[way]('OrgService/GetOrg', {}, { key });
      assert.is(fieldOf(org.body, 'credit.available'), left);
      assert.is(fieldOf(org.body, 'credit.reserved'), 10 - left);
    }
  });
}

test('answers 201 with the place of the scan', async (world) => {
  const { key } = await createOrg(world);
  const { status, body, header } = await world.rest('ScanService/StartScan', { url: 'example.com' }, { key });
  assert.is(status, 201);
  const location = header('location');
  assert.is(location, `/api/v1/scans/${fieldOf(body, 'runId')}`);
  const answer = await fetch(`${world.baseUrl}${location}`, { headers: { authorization: `Bearer ${key}` } });
  assert.is(answer.status, 200);
});

const spellings: [url: string, host: string, domain?: string][] = [
  ['example.com', 'example.com'],
  ['EXAMPLE.com', 'example.com'],
  ['example.com.', 'example.com'],
  ['  example.com  ', 'example.com'],
  ['example.com/path?q=1', 'example.com'],
  ['example.com:8443', 'example.com'],
  ['http://example.com', 'example.com'],
  ['HTTPS://Example.COM:443/', 'example.com'],
  ['https://example.com#top', 'example.com'],
  ['https://a.b.example.com', 'a.b.example.com'],
  ['https://ex%61mple.com/', 'example.com'],
  ['bücher.example', 'xn--bcher-kva.example', 'bücher.example'],
  ['https://BÜCHER.example/ä', 'xn--bcher-kva.example', 'bücher.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example', 'bücher.example'],
  ['192.0.2.7', '192.0.2.7', '192.0.2.7'],
  ['http://0xC0000207/', '192.0.2.7', '192.0.2.7'],
  ['http://3221225991/', '192.0.2.7', '192.0.2.7'],
  ['[2001:db8::7]', '2001:db8::7', '2001:db8::7'],
  ['2001:DB8:0:0:0:0:0:7', '2001:db8::7', '2001:db8::7'],
  ['https://[2001:db8::7]:8443/x', '2001:db8::7', '2001:db8::7'],
];
for (const way of firstRows(ways, 1)) {
  test(`${way}: knows a host in every spelling`, async (world) => {
    const { orgId, key } = await createOrg(world);
    for (const domain of new Set(spellings.flatMap(([, , name]) => name ?? []))) await approve(world, orgId, domain);
    for (const [url, host] of spellings) {
      const { reason, body } = await world[way]('ScanService/StartScan', { url }, { key });
      assert.is(reason, 'OK', `${url}: ${JSON.stringify(body)}`);
      assert.is(fieldOf(body, 'host'), host, url);
    }
  });
}

const badUrls = [
  '',
  ' ',
  'not a url',
  'ftp://example.com/',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'data:text/html,x',
  'mailto:a@example.com',
  'http://',
  'https:///path',
  '//example.com',
  '/path',
  '?q',
  'https://user:password@example.com/',
  'https://user@example.com/',
  'example.com:99999',
  'example.com:0',
  'https://exa mple.com/',
  'https://example.com\\evil',
  'https://example..com/',
  'https://-example.com/',
  'https://example.com/\u0000',
  'https://exa\nmple.com/',
  'https://[::1',
  'http://256.1.1.1/',
  'localhost',
  `https://${'a'.repeat(64)}.com/`,
  `https://${'a.'.repeat(127)}com/`,
  `https://example.com/${'a'.repeat(2_048)}`,
];
for (const way of firstRows(ways, 1)) {
  test(`${way}: refuses a bad URL, says what is wrong with it, and takes no credit for it`, async (world) => {
    const { key } = await createOrg(world);
    for (const url of badUrls) {
      const outcome = await world[way]('ScanService/StartScan', { url }, { key });
      assert.is(outcome.status, way === 'rest' ? 400 : 3, `${url}: ${outcome.reason}`);
      if (!url.includes('\u0000')) assert.is(outcome.reason, 'INVALID_URL', url);
      assert.is(fieldOf(outcome.body, 'errors.0.field'), 'url', url);
      assert.ok(fieldOf(outcome.body, 'errors.0.message'), url);
    }
    assertRefused(await world[way]('ScanService/StartScan', {}, { key }), way, 'INVALID_URL');
    const org = await world[way]('OrgService/GetOrg', {}, { key });
    assert.is(fieldOf(org.body, 'credit.available'), 1_000);
  });
}

const unknownDepths = [
  'DEEP',
  2,
  'Deep',
  'DEPTH_DEEP',
  'depth_deep',
  'full',
  '',
  ' deep',
  'unspecified',
  true,
  null,
  ['deep'],
  {},
];
for (const depth of firstRows(unknownDepths, 3)) {
  test(`refuses the depth ${JSON.stringify(depth)}`, async (world) => {
    const { key } = await createOrg(world);
    const outcome = await world.rest('ScanService/StartScan', { url: 'example.com', depth }, { key });
    assertRefused(outcome, 'rest', 'INVALID_DEPTH');
    assert.is(fieldOf(outcome.body, 'errors.0.field'), 'depth');
    assert.equal(listOf((await world.rest('ScanService/ListScans', {}, { key })).body, 'items'), []);
  });
}

for (const url of [null, 7, true, ['example.com'], { host: 'example.com' }]) {
  test(`refuses the url ${JSON.stringify(url)}`, async (world) => {
    const { key } = await createOrg(world);
    assertRefused(await world.rest('ScanService/StartScan', { url }, { key }), 'rest', 'INVALID_URL');
  });
}

test('refuses unknown fields, so that a mistyped depth costs no credit', async (world) => {
  const { key } = await createOrg(world);
  for (const [request, field, meant] of [
    [{ url: 'example.com', dept: 'deep' }, 'dept', 'depth'],
    [{ url: 'example.com', Depth: 'deep' }, 'Depth', 'depth'],
    [{ url: 'example.com', run_id: '1' }, 'run_id', undefined],
    [{ ulr: 'example.com' }, 'ulr', 'url'],
  ] as const) {
    const outcome = await world.rest('ScanService/StartScan', request, { key });
    assertRefused(outcome, 'rest', 'UNKNOWN_FIELD');
    assert.is(fieldOf(outcome.body, 'errors.0.field'), field);
    if (meant) assert.match(String(fieldOf(outcome.body, 'errors.0.message')), `did you mean "${meant}"`);
  }
  const org = await world.rest('OrgService/GetOrg', {}, { key });
  assert.is(fieldOf(org.body, 'credit.available'), 1_000);
});

test('grpc: refuses a depth that the contract does not have', async (world) => {
  const { key } = await createOrg(world);
  const outcome = await world.grpc('ScanService/StartScan', { url: 'example.com', depth: 99 }, { key });
  assert.is(outcome.status, 3);
  assert.is(fieldOf(outcome.body, 'errors.0.field'), 'depth');
});

test.run();
