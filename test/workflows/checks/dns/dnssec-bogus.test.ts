import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { dnssecBogus } from '../../../../workflows/checks/dns/dnssec-bogus.check.ts';
import type { CheckResult } from '../../../../workflows/checks/run-check.ts';
import type { AuthorityOptions } from '../../../fixtures/authority.ts';
import { startSignedSite } from '../../../fixtures/signed-site.ts';
import type { TreeOptions } from '../../../fixtures/signed-tree.ts';
import { newZoneKey } from '../../../fixtures/zone-keys.ts';
import { further } from '../../../support/further.ts';
import { runOn } from '../harness.ts';

const test = suite('dns.dnssec-bogus');

async function resultOf(tree: TreeOptions, behaviour?: Partial<AuthorityOptions>): Promise<CheckResult> {
  const site = await startSignedSite(tree, behaviour);
  try {
    return await runOn(site.url, dnssecBogus, site.options);
  } finally {
    await site.close();
  }
}

const expired = { zone: { until: new Date(Date.now() - 60_000), from: new Date(Date.now() - 86_400_000) } };

further(test)('signatures that have ended are found, with the day and a command', async () => {
  const { outcome, findings } = await resultOf(expired);
  assert.is(outcome.kind, 'found', outcome.reason);
  const [finding] = findings;
  assert.equal([findings.length, finding?.severity], [1, Severity.MEDIUM]);
  assert.match(finding?.description ?? '', /^The signature of \S+ northwind\.shop ended \d{4}-/);
  assert.match(
    finding?.proof?.curl ?? '',
    /dig @127\.0\.0\.1 -p \d+ \+dnssec \+cdflag \+multiline \S+ northwind\.shop/,
  );
});

further(test)('a registry that vouches for a key that the zone does not have is found', async () => {
  const { findings } = await resultOf({ signer: () => [newZoneKey().signer('northwind.shop')] });
  assert.match(
    findings[0]?.description ?? '',
    /^The zone above vouches for key \d+ of northwind\.shop, whose keys are \d+/,
  );
});

test('an absence that is not proven is found, as less grave', async () => {
  const spoil = (set: { type: number; signatures: Buffer[] }) => {
    if (set.type === 50) set.signatures = [];
  };
  const { findings } = await resultOf({ zone: { denial: 'nsec3', spoil } });
  assert.equal([findings.length, findings[0]?.severity], [1, Severity.LOW]);
});

test('what a validating resolver keeps back is found where only it can be asked', async () => {
  const { outcome } = await resultOf(expired, { does: 'refuses', bogus: ['none-of-the-web.shop'] });
  assert.is(outcome.kind, 'not-run', 'the resolver does not mind');
});

for (const denial of ['nsec', 'nsec3'] as const) {
  test(`a domain with good signatures is clean (${denial})`, async () => {
    assert.is((await resultOf({ zone: { denial } })).outcome.kind, 'clean');
  });
}

further(test)(
  'a domain that is not signed is not applicable, and neither is one whose algorithm is not known here',
  async () => {
    for (const tree of [{ isSigned: false }, { algorithm: 12 }])
      assert.is((await resultOf(tree)).outcome.kind, 'not-applicable');
  },
);

test('a fault of the registry is not the domain’s', async () => {
  assert.is((await resultOf({ registry: expired.zone })).outcome.kind, 'not-run');
});

test.run();
