import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import { decoysByCause, pagesByCause } from '../../../fixtures/decoys/all.ts';
import { injectionOn } from '../../../support/decoys.ts';
import { testBrowsers } from '../harness.ts';

const test = suite<{ browsers: BrowserPool }>('pages that look weak to checks of injection and are not');
test.before((context) => {
  context.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

/** Pages that were once taken for weak, and some of each cause; test/long/decoys.test.ts has all. */
const mistaken = [
  'says what it was sent in place of a text',
  'computes products between words',
  'computes sums, as is its purpose',
  'works sums between braces out, as its help says',
];

test('some of each cause are taken for what they are', async ({ browsers }) => {
  const some = Object.values(pagesByCause).flatMap((decoys) => decoys.filter((_, index) => index % 48 === 0));
  const others = Object.values(decoysByCause)
    .flat()
    .filter((each) => mistaken.includes(each.name) && !some.includes(each));
  const { found, untried } = await injectionOn([...some, ...others], browsers);
  assert.equal([found, untried], [[], []]);
});

test.run();
