import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Depth, ScanStatus } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { html, startSite } from '../../fixtures/site.ts';
import { hasEnded, type Installation, openInstallation } from '../support/installation.ts';

const test = suite('a scan with a listener for callbacks');
const host = 'shop.localhost';
let installation: Installation;
test.before(async () => {
  installation = await openInstallation({ host });
});
test.after(() => installation.close());

/** Fetches addresses that it is given, each some time later, and shows nothing of that. */
const startQueue = () =>
  startSite(({ path, query }) => {
    if (path === '/') return html('<a href="/soon?feed=%2Fnews">Soon</a><a href="/late?feed=%2Fnews">Late</a>');
    if (path !== '/soon' && path !== '/late') return undefined;
    const url = query.get('feed') ?? '';
    if (URL.canParse(url)) setTimeout(() => void fetch(url).catch(() => {}), path === '/soon' ? 0 : lateMs);
    return html('Queued');
  });
/** The check has ended by then, and the run waits as long for what was sent last. */
const lateMs = 2_000;

test('credits what is called at once, and what is called when the check has ended', async () => {
  const site = await startQueue();
  try {
    const listener = await installation.startListener();
    await installation.startWorker('worker', { ...listener, BROWSER_SANDBOX: 'off' });
    const { runId } = await installation.scans.startScan({ url: site.url, depth: Depth.STANDARD });
    const scan = await installation.until(runId, hasEnded);
    assert.is(scan.status, ScanStatus.COMPLETED);
    const { items } = await installation.scans.listFindings({ runId, limit: 100 });
    const found = items.filter(({ checkId }) => checkId === 'injection.ssrf');
    const paths = found.map(({ location }) => new URL(location?.url ?? '').pathname);
    assert.equal(paths.sort(), ['/late', '/soon']);
    const limits = (scan.coverage?.limits ?? []).map(({ text }) => text);
    assert.not.match(limits.join('\n'), /calls back/);
  } finally {
    await site.close();
  }
});

test.run();
