import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storedIncludes } from '../../../../workflows/checks/injection/stored-includes.check.ts';
import type { ScoreSite } from '../../../scorecard/case.ts';
import { startCachedProfile, startCards, startVisitorsBook } from '../../../scorecard/sites/stored-directives.ts';
import { further } from '../../../support/further.ts';
import { check, openAudit, places } from '../harness.ts';

const test = suite('injection.stored-includes');

async function result(started: Promise<ScoreSite>, options: Parameters<typeof openAudit>[1] = {}) {
  const site = await started;
  const audit = await openAudit(site.url, { ...site.options, ...options });
  try {
    const found = await check(audit, storedIncludes);
    const { writes, undone, lasting } = audit;
    return { ...found, writes, undone, lasting };
  } finally {
    await audit.close();
    await site.close();
  }
}

further(test)(
  'a stored text whose page is read for includes is found, recorded before it is sent, and not where it is encoded',
  async () => {
    const found = await result(startVisitorsBook('vulnerable'));
    assert.equal(places(found), ['POST /entries entry'], found.outcome.reason);
    assert.match(found.findings[0]?.description ?? '', 'SSI');
    assert.ok(found.lasting.length >= 6 && found.lasting.length <= 8, String(found.lasting.length));
    const patched = await result(startVisitorsBook('patched'));
    assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
    assert.is(patched.lasting.length, 2);
  },
);

test('it is found on a page of its own, past a filter that leaves comments', async () => {
  const found = await result(startCards('vulnerable'));
  assert.equal(places(found), ['POST /cards wish'], found.outcome.reason);
  const patched = await result(startCards('patched'));
  assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
});

further(test)('a profile behind a cache that carries out ESI is found, and put back each time', async () => {
  const found = await result(startCachedProfile('vulnerable'));
  assert.equal(places(found), ['POST /profile display'], found.outcome.reason);
  assert.match(found.findings[0]?.description ?? '', 'ESI');
  assert.equal([found.lasting.length, found.undone.length], [0, found.writes.length]);
  const patched = await result(startCachedProfile('patched'));
  assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
});

test('where nothing may stay, a text that cannot be put back is not stored', async () => {
  const found = await result(startVisitorsBook('vulnerable'), { writes: 'reversible' });
  assert.equal([found.outcome.kind, found.lasting.length], ['not-applicable', 0]);
});

test.run();
