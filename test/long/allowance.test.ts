import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ScanStatus } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { registryOf } from '../../workflows/checks/registry.ts';
import { ProbeError } from '../../workflows/probe/types.ts';
import { html, startSite } from '../fixtures/site.ts';
import { checkLike } from '../workflows/support/checks.ts';
import { isOver } from '../workflows/support/installation.ts';
import { openWorkbench } from '../workflows/support/workbench.ts';

const test = suite('allowance');

test('a check that uses up its part of the first slice looks once more, with what others have left', async () => {
  const parts: number[] = [];
  const thirsty = checkLike({
    id: 'thirst.all',
    detect: async ({ allowance, http, surface }) => {
      parts.push(allowance());
      while (parts.length === 1 && allowance() > 0) await http.get(surface.url, { fresh: true });
      return parts.length === 1 ? [{ location: { url: surface.url } }] : [];
    },
    confirm: () => {
      throw new ProbeError('budget_exhausted', 'some inputs were left out');
    },
  });
  const others = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'].map((name) =>
    checkLike({ id: `${name}.nothing` }),
  );
  const site = await startSite(({ path }) => (path === '/' ? html('home') : undefined), { host: 'site.localhost' });
  const bench = await openWorkbench(registryOf([thirsty, ...others], []));
  try {
    const { runId } = await bench.scans.startScan({ url: `${site.url}/` });
    const record = await bench.until(runId, isOver, 120_000);
    assert.is(record.status, ScanStatus.COMPLETED);
    const [first = 0, second = 0] = parts;
    assert.is(parts.length, 2);
    assert.ok(second > first && first > 0, `${first}, then ${second} requests`);
  } finally {
    await bench.close();
    await site.close();
  }
});

test.run();
