import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lameDelegation } from '../../../../workflows/checks/dns/lame-delegation.check.ts';
import type { CheckResult } from '../../../../workflows/checks/run-check.ts';
import type { AuthorityOptions } from '../../../fixtures/authority.ts';
import { startSignedSite } from '../../../fixtures/signed-site.ts';
import { type SignedTree, signedTree } from '../../../fixtures/signed-tree.ts';
import { further } from '../../../support/further.ts';
import { runOn } from '../harness.ts';
import { namedBy } from '../named-site.ts';

const test = suite('dns.lame-delegation');

const servers = { 'ns1.northwind.shop': '127.0.0.1', 'ns2.northwind.shop': '127.0.0.2' };

async function resultOf(behaviour: Partial<AuthorityOptions>, made?: SignedTree): Promise<CheckResult> {
  const site = await startSignedSite({ servers, isSigned: false }, behaviour, made);
  try {
    return await runOn(site.url, lameDelegation, site.options);
  } finally {
    await site.close();
  }
}

test('a server that has no such zone is found beside one that has it', async () => {
  const { outcome, findings } = await resultOf({ others: { '127.0.0.2': { zones: [] } } });
  assert.is(outcome.kind, 'found', outcome.reason);
  assert.equal(
    findings.map(({ location }) => location?.url),
    ['dns://ns2.northwind.shop/northwind.shop?type=SOA'],
  );
  assert.match(findings[0]?.proof?.curl ?? '', /^dig @127\.0\.0\.2 -p \d+ \+norecurse SOA northwind\.shop$/m);
});

test('a server that refuses everybody is found', async () => {
  assert.is((await resultOf({ others: { '127.0.0.2': { does: 'refuses' } } })).outcome.kind, 'found');
});

further(test)('a server that sends askers on is found, and distinguished from one that refuses', async () => {
  const { outcome, findings } = await resultOf({ others: { '127.0.0.2': { does: 'no zone of its own' } } });
  assert.is(outcome.kind, 'found', outcome.reason);
  assert.match(findings[0]?.description ?? '', /ns2\.northwind\.shop sends askers on to other servers/);
});

further(test)('servers that have the zone are clean, and so is one that does not answer', async () => {
  assert.is((await resultOf({ others: { '127.0.0.2': {} } })).outcome.kind, 'clean');
  assert.is((await resultOf({ others: { '127.0.0.2': { does: 'garbage' } } })).outcome.kind, 'clean');
});

test('where all refuse, nobody can say that one of them is wrong', async () => {
  const refuses = { does: 'refuses' } as const;
  assert.is((await resultOf({ ...refuses, others: { '127.0.0.2': refuses } })).outcome.kind, 'clean');
});

further(test)('where none can be asked, it has not been looked at', async () => {
  const silent = { does: 'silent' } as const;
  const { outcome } = await resultOf({ ...silent, others: { '127.0.0.2': silent } }, signedTree({ servers }));
  assert.is(outcome.kind, 'not-run');
  assert.match(outcome.reason, /UDP port 53/);
});

test('a domain that is no zone of its own, and servers that may not be asked, are not applicable', async () => {
  assert.equal(await namedBy(lameDelegation, {}), ['not-applicable']);
  const elsewhere = { 'northwind.shop NS': ['ns.elsewhere.net'], 'ns.elsewhere.net A': ['10.0.0.1'] };
  assert.equal(await namedBy(lameDelegation, elsewhere), ['not-applicable']);
});

test.run();
