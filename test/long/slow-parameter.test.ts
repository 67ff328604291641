import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadRegistry } from '../../workflows/checks/registry.ts';
import { check, openAudit, places, testBrowsers } from '../workflows/checks/harness.ts';
import { httpTarget } from '../workflows/probe/support.ts';

const answersAfterMs = 20_000;
/** What a check waits for one answer, twice, and the rest of its work on a busy machine. */
const mostMs = 60_000;

const slow = suite('a parameter that makes a site think for 20 seconds');

slow(
  'it costs each check one wait at that place; it is named as not looked at, and the rest is looked at',
  async () => {
    let waits = 0;
    const target = await httpTarget(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop.localhost');
      response.setHeader('content-type', 'text/html');
      if (pathname === '/') return void response.end('<a href="/report?month=5">r</a><a href="/search?q=tea">s</a>');
      if (pathname === '/search') return void response.end(`<p>Results for ${searchParams.get('q')}</p>`);
      if (pathname !== '/report') return void response.writeHead(404).end('none');
      if (searchParams.get('month') !== '5') {
        waits++;
        await sleep(answersAfterMs, undefined, { ref: false });
      }
      response.end('the report');
    });
    const browsers = testBrowsers();
    const audit = await openAudit(target.url, { browsers });
    try {
      const checks = (await loadRegistry()).family('injection')?.checks ?? [];
      const startMs = performance.now();
      const results = await Promise.all(checks.map((each) => check(audit, each)));
      const tookMs = performance.now() - startMs;
      assert.ok(tookMs < mostMs, `${tookMs} ms`);
      assert.ok(waits > 3 && waits <= checks.length, `${waits} waits`);
      const found = results.filter(({ outcome }) => outcome.kind === 'found');
      assert.equal(found.flatMap(places), ['GET /search q']);
      // There is no listener for callbacks here.
      const isSlow = ({ outcome: { kind, reason } }: (typeof results)[number]) =>
        kind === 'not-run' && !/listener/.test(reason);
      for (const { outcome } of results.filter(isSlow))
        assert.match(outcome.reason, /^timeout at \S+\/report\?month=5: /, `${outcome.checkId}: ${outcome.reason}`);
      assert.match(found[0]?.outcome.reason ?? '', /^timeout at \S+\/report\?month=5: /);
    } finally {
      await audit.close();
      await Promise.all([target.close(), browsers.close()]);
    }
  },
);

slow.run();
