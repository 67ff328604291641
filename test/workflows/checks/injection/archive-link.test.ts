import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { archiveLink } from '../../../../workflows/checks/injection/archive-link.check.ts';
import { zipSlip } from '../../../../workflows/checks/injection/zip-slip.check.ts';
import type { ScoreSite } from '../../../scorecard/case.ts';
import { unpackingSites } from '../../../scorecard/sites/unpacking-sites.ts';
import { firstRows, further } from '../../../support/further.ts';
import { isHere } from '../../../support/programs.ts';
import { check, openAudit, places } from '../harness.ts';

const test = suite('injection.archive-link');

async function result(started: Promise<ScoreSite>, checked: Check, options: Parameters<typeof openAudit>[1] = {}) {
  const site = await started;
  const audit = await openAudit(site.url, { ...site.options, ...options });
  try {
    return { ...(await check(audit, checked)), lasting: audit.lasting };
  } finally {
    await audit.close();
    await site.close();
  }
}

for (const [what, { programs, start }] of firstRows(Object.entries(unpackingSites), 1))
  if (programs.every(isHere))
    test(`a ${what} shows a file through a link, and not when links are taken out`, async () => {
      const found = await result(start('vulnerable'), archiveLink);
      assert.is(places(found).length, 1, found.outcome.reason);
      assert.ok(found.lasting.length <= 7, String(found.lasting.length));
      const patched = await result(start('patched'), archiveLink);
      assert.equal([patched.outcome.kind, places(patched)], ['clean', []], patched.outcome.reason);
    });

for (const [what, { programs, start }] of Object.entries(unpackingSites))
  if (programs.every(isHere))
    further(test)(`names that lead out are not followed by programs of the system: a ${what} is clean`, async () => {
      const found = await result(start('vulnerable'), zipSlip);
      assert.equal([found.outcome.kind, places(found)], ['clean', []], found.outcome.reason);
    });

test('no archive is sent where what stays is not allowed', async () => {
  const [site] = Object.values(unpackingSites);
  const found = site && (await result(site.start('vulnerable'), archiveLink, { writes: 'reversible' }));
  assert.equal([found?.outcome.kind, found?.lasting.length], ['not-applicable', 0]);
});

test.run();
