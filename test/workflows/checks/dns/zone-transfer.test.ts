import { create } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProofSchema, Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { zoneTransfer } from '../../../../workflows/checks/dns/zone-transfer.check.ts';
import { experimentOf } from '../../../../workflows/proof/stored.ts';
import type { Transfer, Zone } from '../../../fixtures/name-server.ts';
import { stored } from '../harness.ts';
import { namedBy, resultOf, soa } from '../named-site.ts';

const test = suite('dns.zone-transfer');

const place = 'dns://ns1.northwind.shop/northwind.shop?type=AXFR';
const hosts = ['ns1.northwind.shop', 'ns2.northwind.shop'];
const records: Zone = {
  'northwind.shop NS': ['ns1.northwind.shop'],
  'ns1.northwind.shop A': ['127.0.0.1'],
  'ns2.northwind.shop A': ['127.0.0.1'],
  'vpn.northwind.shop A': ['192.0.2.7'],
};
const giving = (transfer: Transfer) => ({ hosts, transfers: { 'northwind.shop': transfer } });

for (const transfer of ['whole', 'record by record', 'first half'] as const) {
  test(`a server that gives the zone (${transfer}) is found, with its first records as evidence`, async () => {
    const result = await resultOf(zoneTransfer, records, giving(transfer));
    const [finding] = result.findings;
    assert.is(result.outcome.kind, 'found', result.outcome.reason);
    assert.equal([finding?.location?.url, finding?.severity], [place, Severity.MEDIUM]);
    assert.match(finding?.proof?.steps?.[0]?.observation?.excerpt ?? '', /northwind\.shop SOA /);
    assert.match(finding?.proof?.curl ?? '', /dig @127\.0\.0\.1 -p \d+ AXFR northwind\.shop/);
  });
}

test('the stored proof says which server to ask again', async () => {
  const { findings } = await resultOf(zoneTransfer, records, giving('whole'));
  const again = experimentOf(create(ProofSchema, findings[0]?.proof));
  const step = 'steps' in again ? again.steps[0] : undefined;
  const question = { name: 'northwind.shop', type: 'AXFR', server: 'ns1.northwind.shop' };
  assert.equal(step && 'dns' in step ? step.dns : undefined, question);
});

test('the copy that is kept is no more than its first hundred records', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`host-${index}.northwind.shop A`, ['192.0.2.1']]),
  );
  const result = await resultOf(zoneTransfer, { ...records, ...many }, giving('whole'));
  assert.is(result.outcome.kind, 'found', result.outcome.reason);
  assert.not.match(stored(result), 'host-150.');
});

test('two servers that give the same zone are one finding', async () => {
  const both = { ...records, 'northwind.shop NS': ['ns1.northwind.shop', 'NS2.northwind.shop'] };
  const { findings } = await resultOf(zoneTransfer, both, giving('whole'));
  assert.is(findings.length, 1);
  assert.is(findings[0]?.locations?.length, 2);
});

test('a zone between the host and the domain is looked at, too', async () => {
  const host = 'www.lab.northwind.shop';
  const lab = { 'lab.northwind.shop SOA': [soa], 'lab.northwind.shop NS': ['ns1.northwind.shop'] };
  const options = { host, hosts, transfers: { 'lab.northwind.shop': 'whole' as const } };
  const found = ['found', 'dns://ns1.northwind.shop/lab.northwind.shop?type=AXFR'];
  assert.equal(await namedBy(zoneTransfer, { ...records, ...lab }, options), found);
});

for (const [what, transfer] of [
  ['hangs up', 'hangs up'],
  ['gives the head of the zone alone', 'head alone'],
] as const) {
  test(`a server that ${what} is clean`, async () => {
    assert.equal(await namedBy(zoneTransfer, records, giving(transfer)), ['clean']);
  });
}

test('a server that refuses is clean', async () => {
  assert.equal(await namedBy(zoneTransfer, records, { hosts }), ['clean']);
});

test('a server that makes up a zone for every name is refuted', async () => {
  const { outcome } = await resultOf(zoneTransfer, records, { hosts, transfers: { '*': 'whole' } });
  assert.equal([outcome.kind, outcome.refuted], ['clean', 1]);
});

test('a server whose answer cannot be read has not been looked at', async () => {
  const { outcome } = await resultOf(zoneTransfer, records, giving('garbage'));
  assert.is(outcome.kind, 'not-run');
  assert.match(outcome.reason, 'no DNS message');
});

test('one server that cannot be asked takes nothing from another one that gives the zone', async () => {
  const both = { ...records, 'northwind.shop NS': ['ns1.northwind.shop', 'gone.northwind.shop'] };
  assert.equal(await namedBy(zoneTransfer, both, giving('whole')), ['found', place]);
});

test('servers at addresses that may not be audited are left alone, and the reason is reported', async () => {
  const elsewhere = { ...records, 'ns1.northwind.shop A': ['10.1.2.3'] };
  const { outcome } = await resultOf(zoneTransfer, elsewhere, giving('whole'));
  assert.is(outcome.kind, 'not-applicable');
  assert.match(outcome.reason, 'ns1.northwind.shop leads to no public address');
  assert.not.match(outcome.reason, '10.1.2.3');
});

test('servers without an address could not be asked', async () => {
  const { outcome } = await resultOf(zoneTransfer, { ...records, 'ns1.northwind.shop A': [] }, giving('whole'));
  assert.is(outcome.kind, 'not-run');
  assert.match(outcome.reason, /ns1\.northwind\.shop/);
});

for (const [what, more, options] of [
  ['a page at a hosting company', {}, { host: 'northwind.github.io' }],
  ['a domain within another zone', { 'northwind.shop NS': [] }, {}],
  ['an alias into somebody else’s zone', { 'northwind.shop NS': [{ alias: 'hosting.example' }] }, {}],
] as const) {
  test(`${what} is not applicable`, async () => {
    assert.equal(await namedBy(zoneTransfer, { ...records, ...more }, options), ['not-applicable']);
  });
}

test('what a failing name server has is not known', async () => {
  assert.equal(await namedBy(zoneTransfer, records, { failing: { 'northwind.shop NS': 'SERVFAIL' } }), ['not-run']);
});

test.run();
