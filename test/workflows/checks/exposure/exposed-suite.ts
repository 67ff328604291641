import { suite, type Test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { lookalikes, type Sample, startSample } from '../../../fixtures/exposed/sample.ts';
import { type Handler, startSite } from '../../../fixtures/site.ts';
import { firstRows } from '../../../support/further.ts';
import { runOn, stored } from '../harness.ts';

/** So many of the products that a check knows stand for the others in `npm test`. */
const usualSamples = 3;
/** And so many of the sites that only look like them. */
const usualClean = 5;

type Options = {
  /** Further sites that look like it and are not. */
  clean?: Record<string, Handler>;
  /** A random name beside it cannot be answered with the same; false when the check asks for something else. */
  hasLookalikes?: boolean;
};

/** Each sample is found, and neither its mended twin nor a site that only looks like it is. To be run by the file that asks for it. */
export function exposedSuite<D>(
  subject: Check<D>,
  samples: readonly Sample[],
  { clean = {}, hasLookalikes = true }: Options = {},
): Test {
  const test = suite(subject.id);
  const check = subject as Check;
  const resultOn = async (site: { url: string; close(): Promise<void> }) => {
    try {
      return await runOn(site.url, check);
    } finally {
      await site.close();
    }
  };

  for (const sample of firstRows(samples, usualSamples)) {
    test(`${sample.name} is found, and nothing secret of it is kept`, async () => {
      const found = await resultOn(await startSample(sample, 'vulnerable'));
      assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
      if (sample.score !== undefined) assert.is(found.findings[0]?.cvss?.score, sample.score);
      if (sample.secret) assert.not.match(stored(found), sample.secret);
      assert.ok((found.findings[0]?.proof?.curl?.length ?? 0) > 0);
    });
    test(`${sample.name} is clean once it is mended`, async () => {
      const found = await resultOn(await startSample(sample, 'patched'));
      assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
    });
  }

  const [first] = samples;
  const alike = first && hasLookalikes ? lookalikes(first) : {};
  for (const [what, handler] of firstRows(Object.entries({ ...alike, ...clean }), usualClean)) {
    test(`a site that ${what} is clean`, async () => {
      const found = await resultOn(await startSite(handler));
      assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
    });
  }
  return test;
}
