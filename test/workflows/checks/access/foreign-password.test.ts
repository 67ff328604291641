import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { foreignPassword } from '../../../../workflows/checks/access/foreign-password.check.ts';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { type PasswordsDesign, startPasswordsSite } from '../../../scorecard/sites/account-passwords.ts';
import { further } from '../../../support/further.ts';
import { check, openAudit } from '../harness.ts';

const test = suite('access.foreign-password');

async function result(design: PasswordsDesign, writes: 'create' | 'reversible' = 'create') {
  const site = await startPasswordsSite(design);
  const audit = await openAudit(site.url, { ...site.options, writes });
  try {
    const before = audit.requests();
    const found = await check(audit, foreignPassword as Check);
    return { ...found, requests: audit.requests() - before, lasting: audit.lasting };
  } finally {
    await audit.close();
    await site.close();
  }
}

for (const [design, kind, isUsual] of [
  [{ named: 'path', sets: 'any' }, 'found', false],
  [{ named: 'path', sets: 'own' }, 'clean', false],
  [{ named: 'field', sets: 'any', hasToken: true }, 'found', false],
  [{ named: 'field', sets: 'refuses', hasToken: true }, 'clean', true],
  [{ named: 'field', sets: 'any', hasOverview: true }, 'found', true],
  [{ named: 'field', sets: 'refuses', hasOverview: true }, 'clean', false],
  [{ named: 'path', sets: 'refuses' }, 'clean', false],
  [{ named: 'number in path', sets: 'any' }, 'found', false],
  [{ named: 'number in path', sets: 'own' }, 'clean', false],
  [{ named: 'member', sets: 'any' }, 'found', false],
  [{ named: 'member', sets: 'own' }, 'clean', false],
  [{ named: 'field', sets: 'any' }, 'found', false],
  [{ named: 'field', sets: 'own' }, 'clean', false],
] as const)
  (isUsual ? test : further(test))(`a site that is ${JSON.stringify(design)}: ${kind}`, async () => {
    const { outcome, requests } = await result(design);
    assert.is(outcome.kind, kind, outcome.reason);
    assert.ok(requests < 60, String(requests));
  });

further(test)('no password is set where the scope does not let anything stay', async () => {
  const { outcome, lasting } = await result({ named: 'path', sets: 'any' }, 'reversible');
  assert.equal([outcome.kind, lasting.length], ['not-run', 0], outcome.reason);
});

test.run();
