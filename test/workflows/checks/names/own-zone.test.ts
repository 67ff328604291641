import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ownZoneNameOf } from '../../../../workflows/checks/names/own-zone.ts';
import { startNameServer, type Zone } from '../../../fixtures/name-server.ts';
import { codeOf, openFor } from '../../probe/support.ts';
import { soa } from '../named-site.ts';

const test = suite('the zone of a host');

type Given = { zone?: Zone; failing?: Parameters<typeof startNameServer>[1] };
type Looked = { domain: string | undefined; reason: string; asked: string[] };

/** Looks for the zone of a host, with a name server that has these records. */
async function look(host: string, { zone = {}, failing }: Given = {}): Promise<Looked> {
  const names = await startNameServer(zone, failing);
  const probes = openFor('http://shop.localhost/', { guard: { allow: [], dnsServer: names.address } });
  try {
    const own = await ownZoneNameOf({ surface: surfaceOf(host), dns: probes.dns, nonce: () => 'n7x' });
    const found = 'notApplicable' in own ? undefined : own;
    return { domain: found?.domain, reason: 'notApplicable' in own ? own.notApplicable : '', asked: names.asked() };
  } finally {
    await probes.close();
    names.close();
  }
}

const surfaceOf = (host: string) => ({
  url: `https://${host}/`,
  host,
  addresses: [],
  origins: [],
  pages: [],
  forms: [],
  inputs: [],
  calls: [],
  explored: [],
  skipped: [],
  omitted: [],
});

for (const [host, zones, domain] of [
  ['shop.localhost', ['shop.localhost'], 'shop.localhost'],
  ['Shop.Localhost.', ['shop.localhost'], 'shop.localhost'],
  ['www.shop.localhost', ['shop.localhost'], 'shop.localhost'],
  ['app.eu.corp.internal', ['corp.internal', 'eu.corp.internal'], 'corp.internal'],
  ['app.eu.corp.internal', ['eu.corp.internal'], 'eu.corp.internal'],
  ['intranet.example.local', ['example.local'], 'example.local'],
  ['build.factory.lan', ['factory.lan'], 'factory.lan'],
  ['www.lab.test', ['lab.test', 'test'], 'lab.test'],
  ['nas.cellar.home.arpa', ['cellar.home.arpa', 'home.arpa'], 'cellar.home.arpa'],
] as const) {
  test(`${host} belongs to ${domain} where the name servers have ${zones.join(' and ')}`, async () => {
    const zone = Object.fromEntries(zones.map((name) => [`${name} SOA`, [soa]]));
    assert.is((await look(host, { zone })).domain, domain);
  });
}

for (const [what, host, zone] of [
  ['nobody has a zone for', 'shop.localhost', {}],
  ['only the top-level name has a zone', 'shop.localhost', { 'localhost SOA': [soa] }],
  ['only the top-level name, one of an office, has a zone', 'build.lan', { 'lan SOA': [soa] }],
  ['only "home.arpa" has a zone', 'nas.home.arpa', { 'home.arpa SOA': [soa] }],
  ['every name has a zone', 'shop.localhost', { '*.localhost SOA': [soa] }],
  [
    'an alias leads elsewhere',
    'app.internal',
    { 'app.internal SOA': [{ alias: 'corp.internal' }], 'corp.internal SOA': [soa] },
  ],
  ['there is one label', 'intranet', { 'intranet SOA': [soa] }],
] as const) {
  test(`${host} has no zone of its own when ${what}`, async () => {
    const { domain, reason } = await look(host, { zone });
    assert.is(domain, undefined);
    assert.match(reason, 'have no zone for it');
  });
}

test('a resolver that refuses such names, and does not know the host, says that there is no zone', async () => {
  for (const code of ['REFUSED', 'SERVFAIL'] as const) {
    const { reason } = await look('printer.local', { failing: { 'printer.local SOA': code } });
    assert.match(reason, 'have no zone for it');
  }
});

test('a resolver that knows the host and does not report its zone is not believed', async () => {
  const given = {
    zone: { 'app.corp.internal A': ['10.0.0.7'] },
    failing: { 'corp.internal SOA': 'SERVFAIL' } as const,
  };
  assert.is(await codeOf(look('app.corp.internal', given)), 'dns_failed');
});

test('names that are not of the DNS are never asked for', async () => {
  for (const host of ['shop.onion', 'a.shop.alt', '127.0.0.1', '[::1]'])
    assert.equal((await look(host, { zone: { 'shop.onion SOA': [soa], 'shop.alt SOA': [soa] } })).asked, []);
});

test('without a name server of the settings, nobody is asked for a name of this machine', async () => {
  const probes = openFor('http://shop.localhost/', { guard: { allow: [] } });
  try {
    const own = await ownZoneNameOf({ surface: surfaceOf('shop.localhost'), dns: probes.dns, nonce: () => 'n7x' });
    assert.ok('notApplicable' in own);
    assert.is(probes.requests() + probes.recorder.requests(), 0);
  } finally {
    await probes.close();
  }
});

test('a public name is taken as its registry gave it, without a question', async () => {
  assert.equal(await look('www.northwind.co.uk'), { domain: 'northwind.co.uk', reason: '', asked: [] });
});

test('a page at a hosting company belongs to it, and a domain of a customer there to the customer', async () => {
  const host = 'northwind.github.io';
  assert.match((await look(host)).reason, 'in the zone of github.io');
  assert.is((await look(host, { zone: { [`${host} SOA`]: [soa] } })).domain, host);
  assert.is((await look(host, { zone: { [`${host} SOA`]: [{ alias: 'github.io' }] } })).domain, undefined);
});

test.run();
