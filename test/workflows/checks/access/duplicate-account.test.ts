import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { duplicateAccount } from '../../../../workflows/checks/access/duplicate-account.check.ts';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { type NameDesign, startNameSite } from '../../../scorecard/sites/name-site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { check, openAudit } from '../harness.ts';

const test = suite('access.duplicate-account');

async function result(design: NameDesign, writes: 'create' | 'reversible' = 'create', name?: string) {
  const site = await startNameSite(design);
  const identities = site.options?.identities?.map((each) => ({ ...each, ...(name !== undefined && { name }) })) ?? [];
  const audit = await openAudit(site.url, { ...site.options, identities, writes });
  try {
    const before = audit.requests();
    const found = await check(audit, duplicateAccount as Check);
    return { ...found, requests: audit.requests() - before, lasting: audit.lasting };
  } finally {
    await audit.close();
    await site.close();
  }
}

const asIs = (name: string) => name;
const trimmed = (name: string) => name.trim();
const small = (name: string) => name.toLowerCase();
const trimming: NameDesign = { compared: trimmed, session: ({ name }) => name.trim() };
const lowering: NameDesign = { compared: small, session: (_account, typed) => small(typed) };

const taken: [what: string, design: NameDesign][] = [
  ['spaces that the login takes away', trimming],
  ['capitals that the login takes for small letters', lowering],
  ['spaces, where forms have tokens', { ...trimming, hasToken: true }],
  ['spaces, by JSON', { ...trimming, isApi: true }],
];
for (const [what, design] of firstRows(taken, 1))
  test(`a name that is registered again with ${what} is found`, async () => {
    const { outcome, findings, requests } = await result(design);
    assert.equal([outcome.kind, findings.length], ['found', 1], outcome.reason);
    // Each form is opened anew for its token.
    assert.ok(requests < (design.hasToken ? 90 : 60), String(requests));
  });

further(test)(
  'a test identity of the org shows how accounts log in as well as one that the audit has opened',
  async () => {
    const { outcome } = await result(trimming, 'create', 'tester');
    assert.is(outcome.kind, 'found', outcome.reason);
  },
);

const clean: [what: string, design: NameDesign][] = [
  ['finds the second account by either spelling, and shows it', { compared: small, session: ({ name }) => name }],
  ['brings names into one form first', { ...trimming, stored: (name) => small(name.trim()) }],
  ['keeps names apart that are written otherwise', { compared: asIs, session: ({ name }) => name }],
];
for (const [what, design] of firstRows(clean, 1))
  test(`a site that ${what} is clean`, async () => {
    const { outcome, requests, lasting } = await result(design);
    assert.is(outcome.kind, 'clean', outcome.reason);
    assert.ok(requests < 30, String(requests));
    assert.ok(lasting.length <= 8, String(lasting.length));
  });

further(test)('no account is opened where the scope does not let anything stay', async () => {
  const { outcome, lasting } = await result(trimming, 'reversible');
  assert.equal([outcome.kind, lasting.length], ['not-run', 0], outcome.reason);
  assert.match(outcome.reason, 'it opens accounts');
});

test('that the audit has no account of its own is no gap where the scope does not let anything stay', async () => {
  const site = await startNameSite(trimming);
  const [one] = site.options?.identities ?? [];
  const identities = one ? [{ ...one, name: 'ida' }] : [];
  const audit = await openAudit(site.url, { ...site.options, identities, writes: 'reversible' });
  try {
    assert.match((await check(audit, duplicateAccount as Check)).outcome.reason, 'it opens accounts');
  } finally {
    await audit.close();
    await site.close();
  }
});

test.run();
