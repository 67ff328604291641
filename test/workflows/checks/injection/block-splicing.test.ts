import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { blockSplicing } from '../../../../workflows/checks/injection/block-splicing.check.ts';
import type { ScoreSite } from '../../../scorecard/case.ts';
import { guestBoards, startMaskedGuests } from '../../../scorecard/sites/block-cookies.ts';
import { firstRows } from '../../../support/further.ts';
import { check, openAudit, places } from '../harness.ts';

const test = suite('injection.block-splicing');

async function result(started: Promise<ScoreSite>, options: Parameters<typeof openAudit>[1] = {}) {
  const site = await started;
  const audit = await openAudit(site.url, { ...site.options, ...options });
  try {
    return { ...(await check(audit, blockSplicing)), lasting: audit.lasting };
  } finally {
    await audit.close();
    await site.close();
  }
}

for (const [how, start] of firstRows(Object.entries(guestBoards), 2))
  test(`a cookie with ${how} is put together anew, and not one that is authenticated`, async () => {
    const found = await result(start('vulnerable'));
    assert.equal(places(found), ['POST /enter alias'], found.outcome.reason);
    assert.ok(found.lasting.length <= 8, String(found.lasting.length));
    const patched = await result(start('patched'));
    assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
  });

test('a cookie that is only written otherwise is not taken for an encrypted one', async () => {
  const found = await result(startMaskedGuests());
  assert.equal(places(found), [], found.outcome.reason);
});

test('nothing is sent where what stays is not allowed', async () => {
  const [start] = Object.values(guestBoards);
  const found = await result(start?.('vulnerable') as Promise<ScoreSite>, { writes: 'reversible' });
  assert.equal([found.outcome.kind, found.lasting.length], ['not-applicable', 0]);
});

test.run();
