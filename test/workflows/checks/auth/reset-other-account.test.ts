import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { resetOtherAccount } from '../../../../workflows/checks/auth/reset-other-account.check.ts';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { type ResetDesign, startResetSite } from '../../../scorecard/sites/reset-site.ts';
import { further } from '../../../support/further.ts';
import { check, openAudit } from '../harness.ts';

const test = suite('auth.reset-other-account');

async function result(design: ResetDesign, writes: 'create' | 'reversible' = 'create') {
  const site = await startResetSite(design);
  const audit = await openAudit(site.url, { ...site.options, writes });
  try {
    const before = audit.requests();
    const found = await check(audit, resetOtherAccount as Check);
    return { ...found, requests: audit.requests() - before, lasting: audit.lasting };
  } finally {
    await audit.close();
    await site.close();
  }
}

for (const [design, kind, isUsual] of [
  [{ kept: 'that', hasToken: true }, 'found', true],
  [{ kept: 'nothing', hasTokens: true }, 'found', false],
  [{ kept: 'whose' }, 'clean', true],
  [{ kept: 'nothing', isNameless: true, wantsUnsaid: true }, 'found', true],
  [{ kept: 'nothing', isFurther: true }, 'found', false],
  [{ kept: 'whose', isFurther: true }, 'clean', false],
  [{ kept: 'whose', isNameless: true }, 'clean', false],
  [{ kept: 'nothing' }, 'found', false],
  [{ kept: 'nothing', asksNothing: true }, 'found', false],
  [{ kept: 'whose', hasToken: true }, 'clean', false],
  [{ kept: 'whose', hasTokens: true }, 'clean', false],
] as const)
  (isUsual ? test : further(test))(`a site that is ${JSON.stringify(design)}: ${kind}`, async () => {
    const { outcome, requests } = await result(design);
    assert.is(outcome.kind, kind, outcome.reason);
    assert.ok(requests < 70, String(requests));
  });

test('no password is asked for where the scope does not let anything stay', async () => {
  const { outcome, lasting } = await result({ kept: 'nothing' }, 'reversible');
  assert.equal([outcome.kind, lasting.length], ['not-run', 0], outcome.reason);
});

test.run();
