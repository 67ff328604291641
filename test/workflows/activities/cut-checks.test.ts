import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Depth, OutcomeKind, ScanStatus } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { registryOf } from '../../../workflows/checks/registry.ts';
import { html, startSite } from '../../fixtures/site.ts';
import { checkLike } from '../support/checks.ts';
import { isOver } from '../support/installation.ts';
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
    const { status, coverage } = await bench.until(runId, isOver, 120_000);
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

test.run();
