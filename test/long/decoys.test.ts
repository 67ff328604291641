import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BrowserPool } from '../../workflows/probe/browser/launch.ts';
import { decoysByCause } from '../fixtures/decoys/all.ts';
import { testBrowsers } from '../support/browsers.ts';
import { auditOn } from '../support/decoys.ts';

const test = suite<{ browsers: BrowserPool }>('pages that look weak and are not');
test.before((context) => {
  context.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

for (const [cause, decoys] of Object.entries(decoysByCause))
  test(`none of ${decoys.length} pages that ${cause} is taken for a weakness`, async ({ browsers }) => {
    const { found, untried } = await auditOn(decoys, browsers);
    assert.equal([found, untried], [[], []]);
  });

test.run();
