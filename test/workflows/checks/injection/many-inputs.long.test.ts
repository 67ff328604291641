import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fairPart, withAllowance } from '../../../../workflows/checks/allowance.ts';
import { loadRegistry } from '../../../../workflows/checks/registry.ts';
import { type CheckResult, runCheck } from '../../../../workflows/checks/run-check.ts';
import type { Exchange } from '../../../../workflows/model/http.ts';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import { further } from '../../../support/further.ts';
import { openAudit, places, testBrowsers, world } from '../harness.ts';
import { plantedPlaces, startLargeSite } from './large-site.ts';

const test = suite('injection on a site of many inputs');

const { checks = [] } = (await loadRegistry()).family('injection') ?? {};
/** What the family gets of a scan, about: it grows with its checks, by what they cost. */
const share = 110 * checks.length;

/** Runs the family as an activity does: one check after the other, each with its part of what is left. */
async function familyOn(url: string, browsers?: BrowserPool) {
  const survey = await openAudit(url);
  const audit = await openAudit(url, { ...(browsers && { browsers }), after: survey, maxRequests: share });
  try {
    const paid = new WeakSet<Exchange>();
    const results = new Map<string, CheckResult>();
    for (const [index, check] of checks.entries()) {
      const part = fairPart(share - audit.requests(), checks.length - index);
      const context = withAllowance(audit.context, part, paid);
      const limits = { timeoutMs: 110_000, signal: context.signal };
      results.set(check.id, await runCheck(check, context, world(audit).prove, limits));
    }
    return { results, requests: audit.requests(), inputs: survey.context.surface.inputs.length };
  } finally {
    await audit.close();
    await survey.close();
  }
}

const reasons = (results: ReadonlyMap<string, CheckResult>): string =>
  [...results].map(([id, { outcome }]) => `${id}: ${outcome.kind} ${outcome.reason}`).join('\n');

test('of 150 pages with two parameters each, what is weak in one place is found within the share', async () => {
  const site = await startLargeSite('weak');
  const browsers = testBrowsers();
  try {
    const { results, requests, inputs } = await familyOn(site.url, browsers);
    assert.ok(inputs >= 300, `${inputs} inputs`);
    const found = [...results].flatMap(([id, result]) => places(result).map((place) => [id, place]));
    const missed = Object.entries(plantedPlaces).filter(
      ([id, place]) => !found.some((each) => each.join() === `${id},${place}`),
    );
    assert.equal(missed, [], reasons(results));
    assert.ok(requests < share, `${requests} requests`);
  } finally {
    await browsers.close();
    await site.close();
  }
});

further(test)('the mended site has nothing, and pages that are made alike speak for each other', async () => {
  const site = await startLargeSite('mended');
  try {
    const { results } = await familyOn(site.url);
    assert.equal([...results.values()].flatMap(places), [], reasons(results));
    const { kind, omitted = [] } = results.get('injection.sql-error')?.outcome ?? {};
    assert.equal([kind, ...omitted.map(({ code }) => code)], ['clean', 'alike']);
    assert.match(omitted[0]?.text ?? '', /^\d+ of 3\d\d inputs were not tried one by one/);
  } finally {
    await site.close();
  }
});

test.run();
