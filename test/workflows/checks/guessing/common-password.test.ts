import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { commonPassword } from '../../../../workflows/checks/guessing/common-password.check.ts';
import { type LoginSite, startLogin } from '../../../scorecard/sites/login-sites.ts';
import { further } from '../../../support/further.ts';
import { check, openAudit } from '../harness.ts';

const test = suite('guessing.common-password');

/** A harbour of which the first page names two, and whose login says whether a name is that of an account. */
async function result(
  password: string,
  { writes = 'create', limit = Number.POSITIVE_INFINITY }: { writes?: 'create' | 'reversible'; limit?: number } = {},
) {
  let tries = 0;
  const site: LoginSite = {
    front: '<p>Ask Ina Holm (ina) or Ole Brandt (ole).</p>',
    error: { status: 200, text: 'Sorry' },
    judge: ({ name, password: sent }) => {
      if (name !== 'ole') throw new Error('Nobody is called so.');
      tries += 1;
      if (tries > limit) throw new Error('Too many login attempts. Try again later.');
      if (sent !== password) throw new Error('The password is wrong.');
      return 'ole';
    },
  };
  const { url, close } = await startLogin(site);
  const audit = await openAudit(url, { depth: 'deep', writes });
  try {
    const before = audit.requests();
    const found = await check(audit, commonPassword as Check);
    return { ...found, tries, requests: audit.requests() - before };
  } finally {
    await audit.close();
    await close();
  }
}

test('a common password of a name that the site shows and the login confirms is found', async () => {
  const { findings, outcome } = await result('sunshine');
  assert.equal([outcome.kind, findings.length], ['found', 1], outcome.reason);
  assert.match(findings[0]?.description ?? '', /"ole"/);
});

test('a password that is on no list is not found, and the names that nobody has are not tried', async () => {
  const { outcome, requests } = await result('k3-Werft-91');
  assert.is(outcome.kind, 'clean', outcome.reason);
  assert.ok(requests < 75, String(requests));
});

further(test)('it ends at the first sign of a limit', async () => {
  const { findings, tries } = await result('sunshine', { limit: 6 });
  assert.equal(findings, []);
  assert.ok(tries <= 8, String(tries));
});

test('nothing is tried on a system that people work with', async () => {
  const { outcome, tries } = await result('sunshine', { writes: 'reversible' });
  assert.equal([outcome.kind, tries], ['not-run', 0]);
});

test.run();
