import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Writes } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { Depth, ScanStatus } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { loadRegistry } from '../../workflows/checks/registry.ts';
import { startShelfSite } from '../fixtures/shelf-site.ts';
import { testBrowsers } from '../workflows/checks/harness.ts';
import { hasEnded } from '../workflows/support/installation.ts';
import { openWorkbench } from '../workflows/support/workbench.ts';

const test = suite('entries that the audit has not made');

test('stay as they are where all may be written, and what the audit has added is worked on in their place', async () => {
  const browsers = testBrowsers();
  const bench = await openWorkbench(await loadRegistry(), browsers);
  const site = await startShelfSite();
  try {
    const before = site.seeded();
    await bench.domains.putScope({ domain: bench.host, scope: { writes: Writes.CREATE } });
    const { runId } = await bench.scans.startScan({ url: `${site.url}/`, depth: Depth.DEEP });
    assert.is((await bench.until(runId, hasEnded)).status, ScanStatus.COMPLETED);
    const { items } = await bench.scans.listFindings({ runId });
    assert.equal(site.seeded(), before);
    assert.ok(
      site.edited().some(({ id }) => id > 2),
      'an entry of its own is worked on',
    );
    const found = items.map(({ checkId, location }) => `${checkId} ${location?.parameter}`);
    assert.ok(found.includes('injection.sql-boolean shelf'), found.join(', '));
  } finally {
    await site.close();
    await bench.close();
    await browsers.close();
  }
});

test.run();
