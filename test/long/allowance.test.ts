import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ScanStatus } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import type { CheckContext } from '../../workflows/checks/contract.ts';
import { registryOf } from '../../workflows/checks/registry.ts';
import { ProbeError } from '../../workflows/model/probe-error.ts';
import { html, startSite } from '../fixtures/site.ts';
import { checkLike } from '../workflows/support/checks.ts';
import { hasEnded } from '../workflows/support/installation.ts';
import { openWorkbench } from '../workflows/support/workbench.ts';

const test = suite('allowance');

/** Looks at the page again and again in its first slice: until its own part of the share is used up, or all of it. */
const looks: Record<string, (context: CheckContext) => Promise<void>> = {
  'its part of the first slice': async ({ allowance, http, surface }) => {
    while (allowance() > 0) await http.get(surface.url, { fresh: true });
  },
  'all of the first slice': async ({ http, surface }) => {
    for (let isSpent = false; !isSpent; )
      await http.get(surface.url, { fresh: true }).catch((error: unknown) => {
        isSpent = error instanceof ProbeError && error.code === 'budget_exhausted';
      });
  },
};

for (const [what, look] of Object.entries(looks))
  test(`a check that uses up ${what} looks once more, with what others have left`, async () => {
    const parts: number[] = [];
    const thirsty = checkLike({
      id: 'thirst.all',
      detect: async (context) => {
        parts.push(context.allowance());
        if (parts.length > 1) return [];
        await look(context);
        return [{ location: { url: context.surface.url } }];
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
      const record = await bench.until(runId, hasEnded, 120_000);
      assert.is(record.status, ScanStatus.COMPLETED);
      const [first = 0, second = 0] = parts;
      assert.is(parts.length, 2);
      assert.ok(second > first && first > 0, `${first}, then ${second} requests`);
    } finally {
      await bench.close();
      await site.close();
    }
  });

test('a check that uses up its part while the others of its family need less looks once more, with what they have left', async () => {
  const parts: number[] = [];
  const thirsty = checkLike({
    id: 'thirst.all',
    detect: async (context) => {
      parts.push(context.allowance());
      if (parts.length > 1) return [];
      await looks['its part of the first slice']?.(context);
      return [{ location: { url: context.surface.url } }];
    },
    confirm: () => {
      throw new ProbeError('budget_exhausted', 'some inputs were left out');
    },
  });
  const others = Array.from({ length: 30 }, (_, index) => checkLike({ id: `thirst.none${index}` }));
  const site = await startSite(({ path }) => (path === '/' ? html('home') : undefined), { host: 'site.localhost' });
  const bench = await openWorkbench(registryOf([thirsty, ...others], []));
  try {
    const { runId } = await bench.scans.startScan({ url: `${site.url}/` });
    const record = await bench.until(runId, hasEnded, 120_000);
    assert.is(record.status, ScanStatus.COMPLETED);
    const [first = 0, second = 0] = parts;
    assert.ok(second > 2 * first && first > 0, `${first}, then ${second} requests`);
    assert.is(parts.length, 2);
  } finally {
    await bench.close();
    await site.close();
  }
});

test.run();
