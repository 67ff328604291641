import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { firstRows } from '../support/further.ts';
import { createOrg } from './support/orgs.ts';
import { assertRefused } from './support/refusals.ts';
import { fieldOf, listOf } from './support/values.ts';
import { startWorld, type World, ways } from './support/world.ts';

const test = suite('/api/v1/domains', {} as World);
test.before(async (context) => {
  Object.assign(context, await startWorld());
});
test.after((world) => world.close());

const place = { domain: 'example.com', name: 'user-a' };
const logins: [kind: string, login: object, secret: string][] = [
  ['form', { form: { url: 'https://example.com/login', username: 'a', password: 'canary-form' } }, 'canary-form'],
  ['json', { json: { url: 'https://www.example.com/api', username: 'a', password: 'canary-json' } }, 'canary-json'],
  ['bearer', { bearer: 'canary-bearer', role: 'admin' }, 'canary-bearer'],
  ['basic', { basic: { username: 'a', password: 'canary-basic' } }, 'canary-basic'],
  ['header', { header: { name: 'x-session', value: 'canary-header' } }, 'canary-header'],
  ['cookie', { cookie: 'session=canary-cookie' }, 'canary-cookie'],
  [
    'browser',
    { browser: { url: 'https://example.com/login', username: 'a', password: 'canary-browser' } },
    'canary-browser',
  ],
];
const totp = { secret: 'JBSWY3DPEHPK3PXP', algorithm: 'sha512', digits: 8, periodSeconds: 60, field: '#code' };

test("lists the org's own domains, the same over REST and gRPC", async (world) => {
  const { orgId, key } = await createOrg(world, { domains: ['b.example', 'a.example'] });
  await world.operate('DomainService/WithdrawDomain', { orgId, domain: 'b.example' });
  const rest = await world.rest('DomainService/ListDomains', {}, { key });
  const grpc = await world.grpc('DomainService/ListDomains', {}, { key });
  assert.equal(rest.body, grpc.body);
  const [a, b] = listOf(rest.body, 'items');
  assert.is(fieldOf(a, 'domain'), 'a.example');
  assert.is(fieldOf(a, 'orgId'), orgId);
  assert.is(fieldOf(a, 'method'), 'operator');
  assert.is(fieldOf(a, 'includeSubdomains'), true);
  assert.not('withdrawnAt' in (a as object));
  assert.is(fieldOf(b, 'domain'), 'b.example');
  assert.ok(fieldOf(b, 'withdrawnAt'));
});

for (const way of firstRows(ways, 1)) {
  test(`${way}: stores each kind of login, and never shows its secrets`, async (world) => {
    const { key } = await createOrg(world);
    for (const [kind, login, secret] of logins) {
      const put = await world[way]('DomainService/PutLogin', { ...place, login }, { key });
      assert.is(put.reason, 'OK', JSON.stringify(put.body));
      const got = await world[way]('DomainService/GetLogin', place, { key });
      assert.equal(got.body, put.body);
      const { updatedAt, ...summary } = got.body as Record<string, unknown>;
      assert.ok(updatedAt);
      assert.equal(summary, { ...place, kind, role: kind === 'bearer' ? 'admin' : 'user', totp: false });
      assert.not.match(JSON.stringify(put.body) + JSON.stringify(got.body), secret);
    }
  });

  test(`${way}: stores the secret of a one-time code with a login, and never shows it`, async (world) => {
    const { key } = await createOrg(world);
    const form = { url: 'https://example.com/login', username: 'a', password: 'x' };
    const put = await world[way]('DomainService/PutLogin', { ...place, login: { form, totp } }, { key });
    assert.is(put.reason, 'OK', JSON.stringify(put.body));
    const got = await world[way]('DomainService/GetLogin', place, { key });
    assert.is(fieldOf(got.body, 'totp'), true);
    assert.not.match(JSON.stringify([put.body, got.body]), totp.secret);
  });

  test(`${way}: deletes a login once`, async (world) => {
    const { key } = await createOrg(world);
    await world[way]('DomainService/PutLogin', { ...place, login: { bearer: 'x' } }, { key });
    const deleted = await world[way]('DomainService/DeleteLogin', place, { key });
    assert.is(deleted.status, way === 'rest' ? 204 : 0);
    assertRefused(await world[way]('DomainService/DeleteLogin', place, { key }), way, 'NOT_FOUND');
    assertRefused(await world[way]('DomainService/GetLogin', place, { key }), way, 'NOT_FOUND');
  });

  test(`${way}: knows no domain and no login of another org`, async (world) => {
    const owner = await createOrg(world);
    await world[way]('DomainService/PutLogin', { ...place, login: { bearer: 'x' } }, { key: owner.key });
    const { key } = await createOrg(world, { domains: [] });
    assertRefused(await world[way]('DomainService/GetLogin', place, { key }), way, 'NOT_FOUND');
    assertRefused(await world[way]('DomainService/DeleteLogin', place, { key }), way, 'NOT_FOUND');
    const put = await world[way]('DomainService/PutLogin', { ...place, login: { bearer: 'y' } }, { key });
    assertRefused(put, way, 'NOT_FOUND');
  });

  test(`${way}: refuses a login that no scan could use`, async (world) => {
    const { key } = await createOrg(world);
    for (const [login, field] of [
      [{}, 'login'],
      [{ form: { url: 'https://example.com/', username: '', password: 'x' } }, 'login.form.username'],
      [{ form: { url: 'https://evil.example/', username: 'a', password: 'x' } }, 'login.form.url'],
      [{ bearer: 'x', role: 'root' }, 'login.role'],
      [{ header: { name: 'a b', value: 'x' } }, 'login.header.name'],
      [{ header: { name: 'a', value: 'x\r\nb: c' } }, 'login.header.value'],
    ] as const) {
      const outcome = await world[way]('DomainService/PutLogin', { ...place, login }, { key });
      assertRefused(outcome, way, 'INVALID_PARAMETER');
      assert.is(fieldOf(outcome.body, 'errors.0.field'), field);
    }
  });
}

test('refuses a login with unknown fields, wrong types or two kinds, naming the field', async (world) => {
  const { key } = await createOrg(world);
  for (const [login, reason, field] of [
    [{ baerer: 'x' }, 'UNKNOWN_FIELD', 'login.baerer'],
    [{ form: { urI: 'x' } }, 'UNKNOWN_FIELD', 'login.form.urI'],
    [{ form: { username_field: 'x' } }, 'UNKNOWN_FIELD', 'login.form.username_field'],
    [{ bearer: 5 }, 'INVALID_BODY', 'login.bearer'],
    [{ form: 'x' }, 'INVALID_BODY', 'login.form'],
    [{ bearer: 'x', cookie: 'y' }, 'INVALID_BODY', 'login.cookie'],
  ] as const) {
    const outcome = await world.rest('DomainService/PutLogin', { ...place, login }, { key });
    assertRefused(outcome, 'rest', reason);
    assert.is(fieldOf(outcome.body, 'errors.0.field'), field);
  }
});

test.run();
