import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqlStored } from '../../../../workflows/checks/injection/sql-stored.check.ts';
import type { ScoreSite } from '../../../scorecard/case.ts';
import { startAlbum } from '../../../scorecard/sites/named-files.ts';
import { startReportedFaults } from '../../../scorecard/sites/reported-faults.ts';
import {
  startInsertedEntries,
  startInsertedNotes,
  startSummingSheet,
  startTickets,
  startUpdatedProfile,
} from '../../../scorecard/sites/sql-storing.ts';
import { further } from '../../../support/further.ts';
import { check, openAudit, places, testBrowsers } from '../harness.ts';

const test = suite('injection.sql-stored');
const browsers = testBrowsers();
test.after(() => browsers.close());

async function result(started: Promise<ScoreSite>, options: Parameters<typeof openAudit>[1] = {}) {
  const site = await started;
  const audit = await openAudit(site.url, { ...site.options, ...options });
  try {
    const found = await check(audit, sqlStored);
    const { writes, undone, lasting } = audit;
    return { ...found, writes, undone, lasting };
  } finally {
    await audit.close();
    await site.close();
  }
}

further(test)(
  'a text that an INSERT calculates is found without a message, recorded, and not where it is bound',
  async () => {
    const found = await result(startInsertedEntries('vulnerable'));
    assert.equal(places(found), ['POST /sign words'], found.outcome.reason);
    const patched = await result(startInsertedEntries('patched'));
    assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
    assert.ok(patched.lasting.length <= 3, String(patched.lasting.length));
  },
);

further(test)(
  'a profile that an UPDATE calculates is found and put back each time, and not where it is bound',
  async () => {
    const found = await result(startUpdatedProfile('vulnerable'));
    assert.equal(places(found), ['POST /profile city'], found.outcome.reason);
    assert.equal([found.lasting.length, found.undone.length], [0, found.writes.length]);
    assert.ok(found.writes.length <= 8, String(found.writes.length));
    const patched = await result(startUpdatedProfile('patched'));
    assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
  },
);

further(test)(
  'a text of JSON is found beside one that has to have some length, and not where its quotes are doubled',
  async () => {
    const found = await result(startReportedFaults('vulnerable'), { browsers });
    assert.equal(places(found), ['POST /api/faults place'], found.outcome.reason);
    const patched = await result(startReportedFaults('patched'), { browsers });
    assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
  },
);

further(test)('a choice that an INSERT calculates is found, and not where its quotes are doubled', async () => {
  const found = await result(startTickets('vulnerable'));
  assert.equal(places(found), ['POST /tickets priority'], found.outcome.reason);
  const patched = await result(startTickets('patched'));
  assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
});

further(test)('an entry that has a page of its own is found there, and not where quotes are doubled', async () => {
  const found = await result(startInsertedNotes('vulnerable'));
  assert.equal(places(found), ['POST /notes words'], found.outcome.reason);
  const patched = await result(startInsertedNotes('patched'));
  assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
});

test('the name of a file that an INSERT calculates is found, and not where it is bound', async () => {
  const found = await result(startAlbum('vulnerable'));
  assert.equal(places(found), ['POST /add item'], found.outcome.reason);
  assert.ok(found.lasting.length <= 8, String(found.lasting.length));
  const patched = await result(startAlbum('patched'));
  assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
});

test('what a program of the site works out in a text is no finding', async () => {
  const found = await result(startSummingSheet());
  assert.equal([found.outcome.kind, places(found)], ['clean', []], found.outcome.reason);
});

test.run();
