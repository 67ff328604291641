import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { archiveCode } from '../../../../workflows/checks/injection/archive-code.check.ts';
import type { ScoreSite } from '../../../scorecard/case.ts';
import { archiveSites } from '../../../scorecard/sites/archive-sites.ts';
import { galleries } from '../../../scorecard/sites/upload-sites.ts';
import { firstRows, further } from '../../../support/further.ts';
import { isHere } from '../../../support/programs.ts';
import { check, openAudit, places, testBrowsers } from '../harness.ts';

const test = suite('injection.archive-code');
const browsers = testBrowsers();
test.after(() => browsers.close());

async function result(started: Promise<ScoreSite>, options: Parameters<typeof openAudit>[1] = {}) {
  const site = await started;
  const audit = await openAudit(site.url, { browsers, ...site.options, ...options });
  try {
    return { ...(await check(audit, archiveCode)), lasting: audit.lasting };
  } finally {
    await audit.close();
    await site.close();
  }
}

const here = Object.entries(archiveSites).filter(([, { programs }]) => programs.every(isHere));
for (const [what, { start }] of firstRows(here.toReversed(), 1))
  further(test)(`${what} runs a file of an archive, and not when it is mended`, async () => {
    const found = await result(start('vulnerable'));
    assert.equal([found.outcome.kind, places(found).length], ['found', 1], found.outcome.reason);
    assert.ok(found.lasting.length >= 6 && found.lasting.length <= 8, String(found.lasting.length));
    const patched = await result(start('patched'));
    assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
  });

test('a form that takes no archives is sent none, and neither is any where what stays is not allowed', async () => {
  const start = galleries['gallery that keeps names and shows files by their ending'];
  assert.ok(start);
  const found = await result(start('vulnerable'));
  assert.equal([found.outcome.kind, found.lasting.length], ['not-applicable', 0]);
  const [first] = here;
  if (!first) return;
  const reading = await result(first[1].start('vulnerable'), { writes: 'reversible' });
  assert.equal([reading.outcome.kind, reading.lasting.length], ['not-applicable', 0]);
});

test.run();
