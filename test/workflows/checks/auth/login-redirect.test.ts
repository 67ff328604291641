import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loginRedirect } from '../../../../workflows/checks/auth/login-redirect.check.ts';
import { type LedLogin, ledLoginSite, ledMember } from '../../../fixtures/led-logins.ts';
import { startSite } from '../../../fixtures/site.ts';
import { check, openAudit, stored } from '../harness.ts';

const test = suite('auth.login-redirect');

async function result(design: LedLogin, given = {}) {
  const site = await startSite(ledLoginSite(design));
  const audit = await openAudit(site.url, { depth: 'deep', identities: [{ ...ledMember, ...given }] });
  try {
    return await check(audit, loginRedirect);
  } finally {
    await audit.close();
    await site.close();
  }
}

const weak: Record<string, LedLogin> = {
  'a hidden field that the page fills from its address': { form: 'hidden field', parameter: 'next', accepts: 'all' },
  'the address of the page itself': { form: 'own address', parameter: 'returnUrl', accepts: 'all' },
  'an address without a scheme': { form: 'hidden field', parameter: 'back', accepts: 'no scheme' },
};

for (const [how, design] of Object.entries(weak)) {
  test(`a login that leads to another host by ${how} is found`, async () => {
    const found = await result(design);
    const { outcome, findings } = found;
    assert.equal([outcome.kind, findings.length], ['found', 1], outcome.reason);
    const [finding] = findings;
    assert.is(finding?.location?.parameter, design.parameter);
    assert.match(finding?.proof?.curl ?? '', /\/sign-in\?\w+=[^ ]*example/);
    assert.match(finding?.proof?.curl ?? '', /curl -sS -i .*PASSWORD/);
    assert.not.match(stored(found), /late-heron/);
  });

  test(`one that keeps to paths of its own is clean, by ${how}`, async () => {
    const { outcome, findings } = await result({ ...design, accepts: 'own paths' });
    assert.equal([outcome.kind, findings.length], ['clean', 0], outcome.reason);
  });
}

test('a login that always leads to one page is asked once', async () => {
  const { outcome, findings } = await result({ form: 'hidden field', parameter: 'next', accepts: 'nothing' });
  assert.equal([outcome.kind, findings.length], ['clean', 0]);
});

test('an identity whose session was given as it is cannot show it', async () => {
  const { outcome } = await result({ form: 'own address', parameter: 'next', accepts: 'all' }, { login: undefined });
  assert.is(outcome.kind, 'not-run');
});

test.run();
