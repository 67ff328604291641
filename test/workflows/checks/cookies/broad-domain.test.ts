import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { broadDomain } from '../../../../workflows/checks/cookies/broad-domain.check.ts';
import { type MembersDesign, memberOf, membersSite, sound } from '../../../fixtures/members.ts';
import { startNameServer } from '../../../fixtures/name-server.ts';
import { type Handler, html, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { places, runOn } from '../harness.ts';

const test = suite('cookies.broad-domain');

/** A site at this host that sets a cookie for visitors who do not have it. */
async function result(host: string, name: string, attributes: string, value = () => randomBytes(16).toString('hex')) {
  const names = await startNameServer({ [`${host} A`]: ['127.0.0.1'] });
  const site = await startSite(
    ({ cookies }) => html('hello', 200, cookies[name] ? {} : { 'set-cookie': `${name}=${value()}${attributes}` }),
    { host },
  );
  try {
    return await runOn(site.url, broadDomain, { dnsServer: names.address, hosts: [host] });
  } finally {
    await site.close();
    names.close();
  }
}

const broad: [string, string, string, string][] = [
  ['the registered domain', 'www.northwind.shop', 'PHPSESSID', '; path=/; domain=northwind.shop'],
  ['the registered domain with a dot before it', 'shop.northwind.co.uk', 'sid', '; Domain=.Northwind.co.uk; HttpOnly'],
  [
    'a parent between',
    'app.eu.northwind.shop',
    'JSESSIONID',
    '; Path=/; Secure; Domain = eu.northwind.shop ; HttpOnly',
  ],
];

for (const [what, host, name, attributes] of broad) {
  test(`a session cookie for ${what} is found`, async () => {
    const found = await result(host, name, attributes);
    assert.equal(places(found), [`GET / ${name}`], found.outcome.reason || found.outcome.kind);
  });
}

const narrow: [string, string, string, string][] = [
  ['its host alone', 'www.northwind.shop', 'PHPSESSID', '; path=/'],
  ['its host by name', 'www.northwind.shop', 'PHPSESSID', '; path=/; domain=www.northwind.shop'],
  ['an empty domain', 'www.northwind.shop', 'PHPSESSID', '; path=/; domain='],
  ['a public suffix, which browsers refuse', 'shop.northwind.co.uk', 'PHPSESSID', '; path=/; domain=co.uk'],
  ['another domain, which browsers refuse', 'www.northwind.shop', 'PHPSESSID', '; path=/; domain=southwind.shop'],
  ['a name that only ends alike', 'www.northwind.shop', 'PHPSESSID', '; path=/; domain=wind.shop'],
  [
    'a parent despite its prefix, which browsers refuse',
    'www.northwind.shop',
    '__Host-sid',
    '; Secure; Domain=northwind.shop',
  ],
];

for (const [what, host, name, attributes] of firstRows(narrow, 2)) {
  test(`a session cookie for ${what} is clean`, async () => {
    const found = await result(host, name, attributes);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0]);
  });
}

test('a cookie of the domain that holds no session is clean', async () => {
  assert.is((await result('www.northwind.shop', 'lang', '; domain=northwind.shop', () => 'en')).outcome.kind, 'clean');
});

test('a customer of a hosting service, and an address in numbers, have no other hosts', async () => {
  for (const host of ['northwind.github.io', '127.0.0.1'])
    assert.is((await result(host, 'PHPSESSID', `; domain=${host}`)).outcome.kind, 'not-applicable');
});

/** With a member whose session is kept in a cookie for the domain. */
async function resultOfMember(design: MembersDesign, handler: Handler) {
  const host = 'www.northwind.shop';
  const names = await startNameServer({ [`${host} A`]: ['127.0.0.1'] });
  const site = await startSite(handler, { host });
  try {
    const identities = [memberOf(design)];
    return await runOn(site.url, broadDomain, { dnsServer: names.address, hosts: [host], identities });
  } finally {
    await site.close();
    names.close();
  }
}

const forAll = { ...sound, attributes: 'Path=/; HttpOnly; Domain=northwind.shop' };

further(test)('a login that sets its cookie for the domain is found by what opens the account', async () => {
  const design: MembersDesign = { ...forAll, beforeLogin: 'none' };
  const found = await resultOfMember(design, membersSite(design));
  assert.equal(places(found), ['POST /login sid'], found.outcome.reason || found.outcome.kind);
  assert.match(found.findings[0]?.description ?? '', /that alone opened the account of "A"/);
});

further(test)('a cookie that visitors are given as well is one finding', async () => {
  const found = await resultOfMember(forAll, membersSite(forAll));
  assert.equal(places(found), ['POST /login sid'], found.outcome.reason || found.outcome.kind);
});

test('where the login keeps the session of the visitor, that one is found', async () => {
  const design: MembersDesign = { ...forAll, beforeLogin: 'kept' };
  const members = membersSite(design);
  const found = await resultOfMember(design, (request) => {
    const answer = members(request);
    if (request.method !== 'POST' || !answer) return answer;
    const { 'set-cookie': _, ...headers } = answer.headers ?? {};
    return { ...answer, headers };
  });
  assert.equal(places(found), ['GET / sid'], found.outcome.reason || found.outcome.kind);
});

test.run();
