import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loginStepAccount } from '../../../../workflows/checks/auth/login-step-account.check.ts';
import { type LoginStepsDesign, loginStepsSite } from '../../../fixtures/login-steps.ts';
import { startSite } from '../../../fixtures/site.ts';
import { firstRows } from '../../../support/further.ts';
import { check, openAudit } from '../harness.ts';

const test = suite('auth.login-step-account');

async function result(design: LoginStepsDesign, writes: 'create' | 'reversible' | 'none' = 'create') {
  const site = await startSite(loginStepsSite(design));
  const audit = await openAudit(site.url, { depth: 'deep', writes });
  try {
    const before = audit.requests();
    const found = await check(audit, loginStepAccount);
    return { ...found, requests: audit.requests() - before, sent: site.requests, lasting: audit.lasting };
  } finally {
    await audit.close();
    await site.close();
  }
}

for (const design of firstRows([{}, { asksAtOnce: true }, { hasToken: true }] as const, 1)) {
  test(`a last form that opens whom it names is found: ${JSON.stringify(design)}`, async () => {
    const { findings, outcome, requests, lasting } = await result({ ...design, opens: 'named' });
    assert.is(findings.length, 1, outcome.reason);
    assert.is(findings[0]?.location?.parameter, 'username');
    assert.equal(lasting, [], 'a login leaves nothing');
    assert.ok(requests < 70, String(requests));
  });
  test(`a last form that opens who was asked for is clean: ${JSON.stringify(design)}`, async () => {
    assert.is((await result({ ...design, opens: 'asked' })).outcome.kind, 'clean');
  });
}

test('a page that repeats whatever name it is sent opens nobody', async () => {
  assert.is((await result({ opens: 'named', repeats: true })).outcome.kind, 'clean');
});

test('a form behind the login that changes a password is not sent', async () => {
  const { outcome, sent } = await result({ opens: 'named', asksAtOnce: true, changes: true });
  assert.is(outcome.kind, 'clean');
  assert.equal(
    sent.filter((each) => each.startsWith('POST /password')),
    [],
  );
});

test('no login is gone through where the scope allows no writes', async () => {
  assert.is((await result({ opens: 'named' }, 'none')).outcome.kind, 'not-run');
});

test.run();
