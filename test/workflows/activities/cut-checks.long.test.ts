import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Depth, OutcomeKind, ScanStatus } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import type { CheckContext } from '../../../workflows/checks/contract.ts';
import { registryOf } from '../../../workflows/checks/registry.ts';
import { claim, type Experiment } from '../../../workflows/model/experiment.ts';
import { html, startSite } from '../../fixtures/site.ts';
import { checkLike } from '../support/checks.ts';
import { hasEnded } from '../support/installation.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

/** Asks for so many pages, as long as it may, and counts what it left. */
const greedy = (id: string, pages: number) =>
  checkLike({
    id,
    cost: 500,
    async detect({ surface, http, allowance, leave }) {
      for (let page = 0; page < pages; page += 1) {
        if (allowance() <= 0) {
          leave({ code: 'budget', count: pages - page, text: `${pages - page} pages were not tried` });
          return [];
        }
        await http.get(new URL(`/${id}/${page}`, surface.url).href);
      }
      return [];
    },
  });

type World = { bench: Workbench };
const test = suite<World>('checks that need more than their part of the budget');

test.before(async (world) => {
  // Of 5,000 requests each family is given about half, and each check in it a third of that.
  const names = ['greedy', 'modest', 'modester'];
  const ids = ['a', 'b'].flatMap((family) => names.map((name) => `${family}.${name}`));
  const checks = ids.map((id) => greedy(id, id.endsWith('greedy') ? 1_300 : 5));
  world.bench = await openWorkbench(registryOf(checks, []), undefined, 5_000);
});
test.after(({ bench }) => bench.close());

test('go on with what the others left, so that nothing is cut while requests are left', async ({ bench }) => {
  const site = await startSite(() => html('<p>Page'), { host: bench.host });
  try {
    const { runId } = await bench.scans.startScan({ url: site.url, depth: Depth.STANDARD });
    const { status, coverage } = await bench.until(runId, hasEnded, 120_000);
    assert.is(status, ScanStatus.COMPLETED);
    assert.equal(coverage?.gaps, []);
    assert.equal(
      coverage?.families.flatMap(({ outcomes }) => outcomes.map(({ outcome }) => outcome)),
      Array.from({ length: 6 }, () => OutcomeKind.CLEAN),
    );
  } finally {
    await site.close();
  }
});

test('has found what it found, though nothing is left to look at the rest', async () => {
  const site = await startSite(() => html('<p>Page'), { host: 'site.localhost' });
  const finding = {
    ...greedy('c.finding', 60_000),
    async detect(context: CheckContext) {
      const { url } = context.surface;
      await greedy('c.finding', 60_000).detect(context);
      return [{ location: { url } }];
    },
    confirm: (): Experiment => ({
      steps: [
        { http: { url: `${site.url}/` }, note: 'The page is shown.', expect: [claim('status', 'equals', '200')] },
      ],
      control: [
        { http: { url: `${site.url}/` }, note: 'It is shown.', expect: [claim('status', 'not-equals', '200')] },
      ],
    }),
  };
  let looks = 0;
  const thirsty = checkLike({
    id: 'c.all',
    cost: 500,
    async detect({ surface, http, allowance, leave }) {
      looks += 1;
      for (let page = 0; looks > 1 || allowance() > 0; page += 1)
        await http.get(new URL(`/c/${looks}/${page}`, surface.url).href);
      leave({ code: 'budget', count: 1, text: 'some pages were not tried' });
      return [];
    },
  });
  const bench = await openWorkbench(registryOf([thirsty, finding], []), undefined, 1_000);
  try {
    const { runId } = await bench.scans.startScan({ url: site.url, depth: Depth.STANDARD });
    const { status, coverage, findingsCount } = await bench.until(runId, hasEnded, 120_000);
    assert.is(status, ScanStatus.COMPLETED);
    const [family] = coverage?.families.filter(({ id }) => id === 'c') ?? [];
    const found = family?.outcomes.find(({ checkId }) => checkId === 'c.finding');
    assert.equal([findingsCount, found?.outcome], [1, OutcomeKind.FOUND], found?.reason);
    assert.ok(coverage?.gaps.some(({ subject }) => subject === 'c.finding'));
  } finally {
    await bench.close();
    await site.close();
  }
});

test.run();
