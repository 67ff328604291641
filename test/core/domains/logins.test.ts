import { create, fromJsonString, type MessageInitShape, toJson } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inOrg } from '../../../core/db/session.ts';
import { LoginEntity } from '../../../core/domains/entities.ts';
import { openLoginJson } from '../../../core/domains/login-settings.ts';
import {
  DomainService,
  LoginSchema,
  LoginSummarySchema,
  TotpAlgorithm,
} from '../../../proto/gen/scanaudit/v1/domains_pb.ts';
import { firstRows } from '../../support/further.ts';
import { untilOneWaits } from '../../support/lock-waits.ts';
import { approve, isRefused, newOrg, refused, startCore, type TestCore } from '../support.ts';

type Login = MessageInitShape<typeof LoginSchema>;

let core: TestCore;
const test = suite('logins');
test.before(async () => {
  core = await startCore();
});
test.after(() => core.close());

async function orgWithDomain() {
  const org = await newOrg(core);
  await approve(core, org.orgId, 'example.com');
  const client = core.as(org.key)(DomainService);
  return { ...org, client, put: (login: Login, name = 'a') => client.putLogin({ domain: 'example.com', name, login }) };
}

const value = (url: string, username = 'ada', password = 'x') => ({ url, username, password });

type More = Pick<Login, 'role' | 'checkUrl' | 'totp'>;
const form = (more: More = {}): Login => ({
  kind: {
    case: 'form',
    value: { url: 'https://example.com/login', username: 'ada', password: 'canary-secret' },
  },
  ...more,
});

test('a login is stored encrypted and shown without secrets', async () => {
  const { orgId, client, put } = await orgWithDomain();
  await put(form({ role: 'admin', checkUrl: 'https://www.example.com/account' }));
  const { updatedAt, ...shown } = await client.getLogin({ domain: 'Example.com', name: 'a' });
  assert.ok(updatedAt);
  assert.equal([shown.domain, shown.name, shown.kind, shown.role], ['example.com', 'a', 'form', 'admin']);
  const { em, cipher } = core.program.core;
  const row = await inOrg(em, orgId, (tx) => tx.findOneOrFail(LoginEntity, { orgId }));
  assert.not.match(JSON.stringify(row), 'canary-secret');
  const opened = fromJsonString(LoginSchema, openLoginJson(cipher, row));
  assert.equal(opened, create(LoginSchema, form({ role: 'admin', checkUrl: 'https://www.example.com/account' })));
  assert.throws(() => openLoginJson(cipher, { ...row, name: 'b' }), undefined, 'it is bound to its place');
});

const totp = { secret: 'JBSW Y3DP EHPK 3PXP', algorithm: TotpAlgorithm.SHA256, digits: 8, periodSeconds: 60 };

test('every kind of login is stored with its secrets encrypted, and read without them', async () => {
  const { orgId, client, put } = await orgWithDomain();
  const credentials = { url: 'https://example.com/in', password: 'canary-secret' };
  const kinds: NonNullable<Login['kind']>[] = [
    { case: 'form', value: { ...credentials, username: 'a1' } },
    { case: 'browser', value: { ...credentials, username: 'a2', submitButton: '#go' } },
    { case: 'json', value: { ...credentials, username: 'a3', tokenHeader: 'X-Token: {token}' } },
    { case: 'bearer', value: 'canary-secret' },
    { case: 'basic', value: { username: 'a4', password: 'canary-secret' } },
    { case: 'header', value: { name: 'x-session', value: 'canary-secret-2' } },
    { case: 'cookie', value: 'sid=canary-secret' },
  ];
  const { em, cipher } = core.program.core;
  for (const [index, kind] of kinds.entries()) {
    const hasPassword = index < 3;
    const login: Login = { kind, ...(hasPassword ? { totp } : {}) };
    const stored = await put(login, `user-${index}`);
    const shown = await client.getLogin({ domain: 'example.com', name: `user-${index}` });
    assert.equal(shown, stored);
    assert.equal([shown.kind, shown.totp], [kind.case, hasPassword]);
    const row = await inOrg(em, orgId, (tx) => tx.findOneOrFail(LoginEntity, { orgId, name: `user-${index}` }));
    assert.not.match(JSON.stringify([row, toJson(LoginSummarySchema, shown)]), /canary-secret|JBSW/);
    assert.equal(fromJsonString(LoginSchema, openLoginJson(cipher, row)), create(LoginSchema, login));
  }
});

for (const [name, first, second] of [
  [
    'of one user name at one site',
    form(),
    { kind: { case: 'browser', value: value('https://example.com/other', ' Ada') } },
  ],
  [
    'of one user name by Basic authentication',
    { kind: { case: 'basic', value: { username: 'ada', password: 'x' } } },
    { kind: { case: 'basic', value: { username: 'Ada', password: 'y' } } },
  ],
  ['with one token', { kind: { case: 'bearer', value: 't1' } }, { kind: { case: 'bearer', value: 't1' } }],
  [
    'with one value in two headers',
    { kind: { case: 'header', value: { name: 'x-a', value: 't1' } } },
    { kind: { case: 'header', value: { name: 'x-b', value: 't1' } } },
  ],
] satisfies [string, Login, Login][])
  test(`a second login ${name} is refused: it would be compared with itself`, async () => {
    const { put } = await orgWithDomain();
    await put(first, 'a');
    const error = await refused(put(second, 'b'));
    assert.is(error.reason, 'INVALID_PARAMETER');
    assert.match(error.rawMessage, /it is the account of the login "a"/);
    await put(second, 'a');
  });

test('other accounts, and the same name at another site of the domain, are taken', async () => {
  const { put } = await orgWithDomain();
  await put(form(), 'a');
  await put({ kind: { case: 'form', value: value('https://example.com/login', 'bob') } }, 'b');
  await put({ kind: { case: 'form', value: value('https://shop.example.com/login') } }, 'c');
  await put({ kind: { case: 'bearer', value: 'ada' } }, 'd');
});

test('putting a login of the same name replaces it', async () => {
  const { client, put } = await orgWithDomain();
  await put(form());
  await put({ kind: { case: 'bearer', value: 'token' } });
  const shown = await client.getLogin({ domain: 'example.com', name: 'a' });
  assert.equal([shown.kind, shown.role], ['bearer', 'user']);
});

test('a deleted login is gone', async () => {
  const { client, put } = await orgWithDomain();
  await put(form());
  await client.deleteLogin({ domain: 'example.com', name: 'a' });
  await isRefused(client.getLogin({ domain: 'example.com', name: 'a' }), 'NOT_FOUND');
  await isRefused(client.deleteLogin({ domain: 'example.com', name: 'a' }), 'NOT_FOUND');
});

test('logins of another org, and domains that the org does not hold, are not found', async () => {
  const [mine, other] = [await orgWithDomain(), await orgWithDomain()];
  await other.put(form());
  await isRefused(mine.client.getLogin({ domain: 'example.com', name: 'a' }), 'NOT_FOUND');
  const elsewhere = { domain: 'example.org', name: 'a', login: { kind: { case: 'bearer' as const, value: 'x' } } };
  await isRefused(mine.client.putLogin(elsewhere), 'NOT_FOUND');
  await core.operator(DomainService).withdrawDomain({ orgId: mine.orgId, domain: 'example.com' });
  await isRefused(mine.put(form()), 'NOT_FOUND');
});

const unusable: [string, Login, string][] = [
  ['without a kind', {}, 'login'],
  ['with an unknown role', form({ role: 'root' }), 'login.role'],
  [
    'that would send secrets elsewhere',
    { kind: { case: 'form', value: value('https://evil.net/') } },
    'login.form.url',
  ],
  ['of a look-alike host', { kind: { case: 'json', value: value('https://example.com.evil.net/') } }, 'login.json.url'],
  ['of another scheme', { kind: { case: 'form', value: value('ftp://example.com/') } }, 'login.form.url'],
  ['without a user name', { kind: { case: 'form', value: value('https://example.com/', '') } }, 'login.form.username'],
  [
    'without a password',
    { kind: { case: 'json', value: value('https://example.com/', 'a', '') } },
    'login.json.password',
  ],
  ['checked elsewhere', form({ checkUrl: 'https://evil.net/' }), 'login.checkUrl'],
  [
    'with a colon in the name of Basic authentication',
    { kind: { case: 'basic', value: { username: 'a:b', password: 'x' } } },
    'login.basic.username',
  ],
  ['with an empty token', { kind: { case: 'bearer', value: '' } }, 'login.bearer'],
  ['with a line break in a header', { kind: { case: 'cookie', value: 'a=b\r\nx: y' } }, 'login.cookie'],
  ['with no header name', { kind: { case: 'header', value: { name: 'a b', value: 'x' } } }, 'login.header.name'],
  ['by browser elsewhere', { kind: { case: 'browser', value: value('https://evil.net/') } }, 'login.browser.url'],
  [
    'with an endless selector',
    { kind: { case: 'form', value: { ...value('https://example.com/'), submitButton: 'x'.repeat(257) } } },
    'login.form.submitButton',
  ],
  [
    'whose token goes nowhere',
    { kind: { case: 'json', value: { ...value('https://example.com/'), tokenHeader: 'Authorization: Bearer' } } },
    'login.json.tokenHeader',
  ],
  [
    'whose token header is no header',
    { kind: { case: 'json', value: { ...value('https://example.com/'), tokenHeader: 'a b: {token}' } } },
    'login.json.tokenHeader',
  ],
  ['with a code for a bearer token', { kind: { case: 'bearer', value: 'x' }, totp }, 'login.totp'],
  [
    'with a code whose secret is not base32',
    form({ totp: { ...totp, secret: 'not-base-32-at-all!' } }),
    'login.totp.secret',
  ],
  ['with a code whose secret is short', form({ totp: { ...totp, secret: 'JBSWY3DP' } }), 'login.totp.secret'],
  ['with a code of 5 digits', form({ totp: { ...totp, digits: 5 } }), 'login.totp.digits'],
  ['with a code for a second', form({ totp: { ...totp, periodSeconds: 1 } }), 'login.totp.periodSeconds'],
];
for (const [name, login, field] of firstRows(unusable, 8))
  test(`a login ${name} is refused`, async () => {
    const { put } = await orgWithDomain();
    const error = await refused(put(login));
    assert.is(error.reason, 'INVALID_PARAMETER');
    assert.match(error.rawMessage, field);
  });

test('of one account under many names at once, one is stored', async () => {
  const { orgId, put } = await orgWithDomain();
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const ends = await Promise.allSettled(names.map((name) => put(form(), name)));
  assert.is(ends.filter(({ status }) => status === 'fulfilled').length, 1);
  const { em } = core.program.core;
  assert.is(await inOrg(em, orgId, (tx) => tx.count(LoginEntity, { orgId })), 1);
});

test('nothing is stored for a domain that is given back meanwhile', async () => {
  const { orgId, put } = await orgWithDomain();
  const { em } = core.program.core;
  const { ended } = await inOrg(em, orgId, async (tx) => {
    await tx.execute('update domains set withdrawn_at = now() where org_id = ?', [orgId]);
    const call = put(form());
    call.catch(() => {});
    await untilOneWaits(tx);
    return { ended: call };
  });
  await isRefused(ended, 'NOT_FOUND');
  assert.is(await inOrg(em, orgId, (tx) => tx.count(LoginEntity, { orgId })), 0);
});

test('the name of a login is 1 to 32 letters, digits and hyphens', async () => {
  const { put } = await orgWithDomain();
  for (const name of ['', 'a b', 'a/b', 'x'.repeat(33)]) await isRefused(put(form(), name), 'INVALID_PARAMETER');
  await put(form(), 'x'.repeat(32));
});

test.run();
