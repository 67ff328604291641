import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { websocketOrigin } from '../../../../workflows/checks/cors/websocket-origin.check.ts';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import { cases } from '../../../scorecard/cases/deep/cors/websocket-origin.ts';
import { firstRows } from '../../../support/further.ts';
import { places, runOn, stored, testBrowsers } from '../harness.ts';

const test = suite<{ browsers: BrowserPool }>('cors.websocket-origin');
test.before((context) => {
  context.browsers = testBrowsers();
});
test.after(({ browsers }) => browsers.close());

const scores: Record<string, number> = { 'session that is sent from everywhere': 6.5 };

for (const { name, start } of firstRows(cases, 1))
  for (const variant of ['vulnerable', 'patched'] as const)
    test(`${name}: ${variant}`, async ({ browsers }) => {
      const site = await start(variant);
      try {
        const found = await runOn(site.url, websocketOrigin as Parameters<typeof runOn>[1], {
          browsers,
          ...site.options,
        });
        assert.equal(places(found), variant === 'vulnerable' ? ['GET /live Origin'] : [], found.outcome.reason);
        if (variant === 'vulnerable') assert.is(found.findings[0]?.cvss?.score, scores[name] ?? 5.3);
        assert.not.match(stored(found), /northwind|Ropewalk|correct-horse/);
      } finally {
        await site.close();
      }
    });

test.run();
