import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Writes } from '../../../proto/gen/scanaudit/v1/domains_pb.ts';
import { Depth, ScanStatus } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { registryOf } from '../../../workflows/checks/registry.ts';
import { html, redirect, startSite } from '../../fixtures/site.ts';
import { further } from '../../support/further.ts';
import { checkLike } from '../support/checks.ts';
import { hasEnded } from '../support/installation.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

/** Stores a text in a guest book before it has anything to prove. */
const signing = (risk: 'safe' | 'caution') =>
  checkLike({
    id: `book.${risk}`,
    depth: 'deep',
    risk,
    async detect({ surface, store }) {
      const url = new URL('/book', surface.url).href;
      const headers = [['Content-Type', 'application/x-www-form-urlencoded']] as const;
      const lasting = { description: 'An entry is stored.', place: url };
      await store?.('', { method: 'POST', url, headers, body: `words=${risk}`, lasting }, async () => {});
      return [];
    },
  });

type World = { bench: Workbench };
const test = suite<World>('what a check stores and stays');

test.before(async (world) => {
  world.bench = await openWorkbench(registryOf([signing('safe'), signing('caution')], []));
});
test.after(({ bench }) => bench.close());

async function storedIn(bench: Workbench, writes: Writes) {
  const entries: string[] = [];
  const site = await startSite(
    ({ method, path, body }) => {
      if (method === 'POST' && path === '/book') entries.push(new URLSearchParams(body).get('words') ?? '');
      if (method === 'POST') return redirect('/book', 303);
      return html('<form method="post" action="/book"><textarea name="words"></textarea><button>Sign</button></form>');
    },
    { host: bench.host },
  );
  try {
    await bench.domains.putScope({ domain: bench.host, scope: { writes } });
    const { runId } = await bench.scans.startScan({ url: site.url, depth: Depth.DEEP });
    const { status } = await bench.until(runId, hasEnded, 120_000);
    assert.is(status, ScanStatus.COMPLETED);
    const report = Buffer.from((await bench.scans.getReport({ runId })).content).toString('utf8');
    return {
      entries: entries.filter((words) => words === 'safe' || words === 'caution'),
      isReported: report.includes('An entry is stored.'),
    };
  } finally {
    await site.close();
  }
}

test('is recorded with its place, where the scope allows it, of checks that are announced as such', async ({
  bench,
}) => {
  assert.equal(await storedIn(bench, Writes.CREATE), { entries: ['caution'], isReported: true });
});

further(test)('is not sent where the scope allows only what is undone', async ({ bench }) => {
  assert.equal(await storedIn(bench, Writes.REVERSIBLE), { entries: [], isReported: false });
});

test.run();
