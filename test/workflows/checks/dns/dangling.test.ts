import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { danglingMx } from '../../../../workflows/checks/dns/dangling-mx.check.ts';
import { danglingNs } from '../../../../workflows/checks/dns/dangling-ns.check.ts';
import type { Zone } from '../../../fixtures/name-server.ts';
import { namedBy, resultOf, soa } from '../named-site.ts';

const test = suite('dns.dangling-mx and dns.dangling-ns');

/** The same targets as servers for mail and as name servers. */
const leadingTo = (...targets: string[]): Zone => ({
  'northwind.shop MX': targets.map((exchange, index) => ({ preference: index, exchange })),
  'northwind.shop NS': targets,
});
const both = [
  [danglingMx, 'dns:northwind.shop?type=MX'],
  [danglingNs, 'dns:northwind.shop?type=NS'],
] as const;
const there = { 'ns1.northwind.shop A': ['192.0.2.1'] };
const registry = { 'example SOA': [soa], 'com SOA': [soa], 'co.uk SOA': [soa], 'uk SOA': [soa] };

for (const [check, place] of both) {
  test(`${check.id}: a name that its own zone denies is found, and is of little weight`, async () => {
    const { outcome, findings } = await resultOf(check, {
      ...there,
      ...leadingTo('ns1.northwind.shop', 'old.northwind.shop'),
    });
    assert.is(outcome.kind, 'found', outcome.reason);
    assert.equal([findings[0]?.location?.url, findings[0]?.severity], [place, Severity.LOW]);
    assert.match(findings[0]?.description ?? '', 'old.northwind.shop does not exist.');
    assert.not.match(findings[0]?.description ?? '', 'ns1.northwind.shop does not');
    assert.match(findings[0]?.proof?.curl ?? '', /dig @127\.0\.0\.1 -p \d+ A old\.northwind\.shop/);
  });

  for (const target of ['mx.lapsed.com', 'lapsed.com', 'a.b.lapsed.co.uk']) {
    test(`${check.id}: ${target}, whose domain the registry does not have, is grave`, async () => {
      const { outcome, findings } = await resultOf(check, {
        ...registry,
        ...there,
        ...leadingTo('ns1.northwind.shop', target),
      });
      assert.is(outcome.kind, 'found', outcome.reason);
      assert.is(findings[0]?.severity, Severity.HIGH);
      assert.match(findings[0]?.description ?? '', /the registry does not have lapsed\.(?:com|co\.uk)/);
    });
  }

  test(`${check.id}: a name that another company's zone denies is not called one that can be registered`, async () => {
    const zone = { ...registry, 'hosting.com SOA': [soa], ...leadingTo('customer-7.hosting.com') };
    const { findings } = await resultOf(check, zone);
    assert.is(findings[0]?.severity, Severity.LOW);
    assert.not.match(findings[0]?.description ?? '', 'registry');
  });

  for (const [what, zone] of [
    ['names that exist', { ...there, ...leadingTo('ns1.northwind.shop') }],
    [
      'a name that exists and has no address',
      { 'ns1.northwind.shop TXT': [['x']], ...leadingTo('ns1.northwind.shop') },
    ],
    ['a name that nobody but a filter denies', leadingTo('mx.blocked.net')],
    [
      'an alias of a name that does not exist',
      { 'a.northwind.shop A': [{ alias: 'gone.northwind.shop' }], ...leadingTo('a.northwind.shop') },
    ],
  ] as const) {
    test(`${check.id}: ${what} is clean`, async () => {
      assert.equal(await namedBy(check, zone), ['clean']);
    });
  }

  test(`${check.id}: a target whose name servers fail is not called gone`, async () => {
    const failing = { 'mx.slow.com A': 'SERVFAIL' } as const;
    assert.equal(await namedBy(check, leadingTo('mx.slow.com'), { failing }), ['clean']);
  });

  test(`${check.id}: a name that a filter denies in its own name is clean`, async () => {
    const zone = { 'mx.blocked.net SOA': [soa], ...leadingTo('mx.blocked.net') };
    assert.equal(await namedBy(check, zone, { failing: { 'mx.blocked.net A': 'NXDOMAIN' } }), ['clean']);
  });

  test(`${check.id}: a zone that is denied as a whole is refuted`, async () => {
    const failing = { 'com SOA': 'NXDOMAIN' } as const;
    const { outcome } = await resultOf(check, { ...registry, ...leadingTo('mx.lapsed.com') }, { failing });
    assert.equal([outcome.kind, outcome.refuted], ['clean', 1]);
  });

  test(`${check.id}: no records of the kind are not applicable, and what a failing name server has is not known`, async () => {
    assert.equal(await namedBy(check, {}), ['not-applicable']);
    const failing = { 'northwind.shop MX': 'SERVFAIL', 'northwind.shop NS': 'SERVFAIL' } as const;
    assert.equal(await namedBy(check, {}, { failing }), ['not-run']);
  });
}

test('a domain that takes no mail, and says so, is clean', async () => {
  assert.equal(await namedBy(danglingMx, { 'northwind.shop MX': [{ preference: 0, exchange: '.' }] }), ['clean']);
});

test('a host that takes mail itself is looked at, too', async () => {
  const records = {
    'northwind.shop MX': [{ preference: 0, exchange: '.' }],
    'www.northwind.shop MX': [{ preference: 10, exchange: 'old.northwind.shop' }],
  };
  assert.equal(await namedBy(danglingMx, records), ['found', 'dns:www.northwind.shop?type=MX']);
});

test.run();
