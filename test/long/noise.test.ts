import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ScanStatus } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { loadRegistry } from '../../workflows/checks/registry.ts';
import { type Answer, type Request, startSite } from '../fixtures/site.ts';
import { testBrowsers } from '../workflows/checks/harness.ts';
import { hasEnded } from '../workflows/support/installation.ts';
import { openWorkbench } from '../workflows/support/workbench.ts';

const folders = [
  'amber',
  'birch',
  'cedar',
  'delta',
  'ember',
  'fjord',
  'grove',
  'haven',
  'iris',
  'jade',
  'karst',
  'lark',
  'maple',
  'north',
  'olive',
];
const leaves = folders.slice(0, 10);
const paths = folders.flatMap((folder) => leaves.map((leaf) => `/${folder}/${leaf}`));

/** What is wrong with every page. */
const weaknesses = [
  'cookies.session-without-samesite',
  'headers.framing-allowed',
  'headers.security-headers-missing',
  'headers.version-banner',
  'injection.reflected-xss',
];

function pageAt({ path, query }: Request): Answer {
  const links = path === '/' ? paths.map((each) => `<a href="${each}?lang=en&amp;page=1">${each}</a>`) : [];
  return {
    headers: {
      'content-type': 'text/html',
      server: 'Apache/2.4.1',
      'set-cookie': 'PHPSESSID=4e1243bd22c66e76c2ba9eddc1f91394; Path=/; HttpOnly',
    },
    body: `<!doctype html><title>Shop</title><form method="post" action="/order"><input name="amount"><button>Order</button></form>
      <p>${query.get('lang') ?? 'en'}</p><a href="/">home</a>${links.join(' ')}`,
  };
}

const test = suite('noise');

test('a site of 150 pages with two parameters each and the same five weaknesses has one finding for each, facts of no weight last', async () => {
  const site = await startSite(
    (request) => (request.path === '/' || paths.includes(request.path) ? pageAt(request) : undefined),
    { host: 'site.localhost' },
  );
  const browsers = testBrowsers();
  const bench = await openWorkbench(await loadRegistry(), browsers);
  try {
    const { runId } = await bench.scans.startScan({ url: `${site.url}/` });
    const record = await bench.until(runId, hasEnded, 900_000);
    assert.is(record.status, ScanStatus.COMPLETED);
    const { items } = await bench.scans.listFindings({ runId, limit: 100 });
    const ids = items.map(({ checkId }) => checkId);
    const reported = items.map(
      ({ checkId, fingerprint, location }) => `${checkId} ${location?.parameter} ${location?.url} ${fingerprint}`,
    );
    assert.is(new Set(ids).size, ids.length, reported.join('\n'));
    assert.equal(
      weaknesses.filter((id) => !ids.includes(id)),
      [],
    );
    for (const { checkId, locations } of items)
      assert.ok(locations.length <= 40, `${checkId}: ${locations.length} places`);
    const severities = items.map(({ severity }) => severity);
    assert.equal(
      severities,
      severities.toSorted((a, b) => b - a),
    );
    const html = Buffer.from((await bench.scans.getReport({ runId })).content).toString('utf8');
    assert.ok(html.length < 1024 * 1024, `the report has ${html.length} bytes`);
  } finally {
    await bench.close();
    await browsers.close();
    await site.close();
  }
});

test.run();
