import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { secondFactorSkip } from '../../../../workflows/checks/auth/second-factor-skip.check.ts';
import { startSite } from '../../../fixtures/site.ts';
import { type TwoFactorDesign, twoFactorSite } from '../../../fixtures/two-factor.ts';
import { further } from '../../../support/further.ts';
import { check, openAudit } from '../harness.ts';

const test = suite('auth.second-factor-skip');

async function result(design: TwoFactorDesign) {
  const site = await startSite(twoFactorSite(design));
  const audit = await openAudit(site.url, { depth: 'deep' });
  try {
    return { ...(await check(audit, secondFactorSkip)), requests: site.requests };
  } finally {
    await audit.close();
    await site.close();
  }
}

for (const asks of ['page', 'answer'] as const)
  test(`a session that opens pages before the code, which the ${asks} asks for, is found, and no code is sent`, async () => {
    const found = await result({ opens: 'everything', asks });
    assert.is(found.findings.length, 1, found.outcome.reason);
    assert.equal(
      found.requests.filter((each) => each.startsWith('POST /check')),
      [],
    );
  });

further(test)(
  'it is found where "/verify" asks for the code, and nobody is sent to a login on the first page',
  async () => {
    const design = { asks: 'page', codePath: '/verify', loginPath: '/' } as const;
    assert.is((await result({ ...design, opens: 'everything' })).findings.length, 1);
    assert.is((await result({ ...design, opens: 'nothing' })).outcome.kind, 'clean');
  },
);

test('a session that opens nothing before the code is clean', async () => {
  for (const asks of ['page', 'answer'] as const)
    assert.equal((await result({ opens: 'nothing', asks })).outcome.kind, 'clean');
});

further(test)(
  'an offer to set up a second factor, and a page that asks for something else, are none that is skipped',
  async () => {
    const pages = [
      '<h1>Set up two-factor authentication</h1><p>Scan this and enter the 6-digit code, or skip for now.</p><form method="post" action="/check"><input name="code"><button>Enable</button></form>',
      '<h1>Welcome</h1><p>Two-factor login is here soon.</p><form method="post" action="/find"><input name="search"><button>Find</button></form>',
      '<h1>Your code of the day is in the app</h1><p>Enter nothing.</p>',
    ];
    for (const codePage of pages)
      assert.equal((await result({ opens: 'everything', asks: 'page', codePage })).findings, [], codePage);
  },
);

test.run();
