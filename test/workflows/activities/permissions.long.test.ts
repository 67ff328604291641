import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Depth, type Scan, ScanStatus } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { idorRead } from '../../../workflows/checks/access/idor-read.check.ts';
import { registryOf } from '../../../workflows/checks/registry.ts';
import { redirect, type Site, startSite } from '../../fixtures/site.ts';
import { further } from '../../support/further.ts';
import { type Person, page, siteWith } from '../permissions/support.ts';
import { hasEnded } from '../support/installation.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

/** Orders are shown to whoever is logged in; one of their addresses holds a session. */
const order = (owner: Person, street: string) => (reader: Person | undefined) =>
  reader
    ? page(reader, `<h1>Order</h1><p>${street} Harbour Street</p><p>${owner}@mail.example</p>`)
    : redirect('/login');
const shop = siteWith(
  { ann: ['/orders/4711', '/receipt?session=session-of-ann-1f3a'], bob: ['/orders/5810'], root: [] },
  {
    '/orders/4711': order('ann', '47'),
    '/orders/5810': order('bob', '58'),
    '/receipt': (reader) => page(reader, '<h1>Receipt of the year</h1>'),
  },
);

type World = { bench: Workbench; site: Site };
const test = suite<World>('the permission matrix of a deep scan');
test.before(async (world) => {
  world.site = await startSite(
    (request) =>
      shop({ ...request, cookies: { sid: request.cookies.sid?.replace(/^session-of-(\w+)-1f3a$/, '$1') ?? '' } }),
    { host: 'site.localhost' },
  );
  world.bench = await openWorkbench(registryOf([idorRead], []));
  for (const name of ['ann', 'bob'])
    await world.bench.domains.putLogin({
      domain: world.bench.host,
      name,
      login: { kind: { case: 'cookie', value: `sid=session-of-${name}-1f3a` }, checkUrl: `${world.site.url}/account` },
    });
});
test.after(async ({ bench, site }) => {
  await bench.close();
  await site.close();
});

async function scan({ bench, site }: World): Promise<{ record: Scan; report: string }> {
  const { runId } = await bench.scans.startScan({ url: `${site.url}/`, depth: Depth.DEEP });
  const record = await bench.until(runId, hasEnded);
  assert.is(record.status, ScanStatus.COMPLETED, record.failure?.detail);
  const { content } = await bench.scans.getReport({ runId });
  return { record, report: Buffer.from(content).toString() };
}

test('stands in the report, its cells marked with the findings that experiments showed', async (world) => {
  const { record, report } = await scan(world);
  assert.equal(record.coverage?.gaps, []);
  const [row = ''] = /<tr><th scope="row"><code>\/orders\/\{id\}.*?4711.*?<\/tr>/s.exec(report) ?? [];
  const cells = [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) =>
    cell.replace(/<[^>]+>/g, ' ').trim(),
  );
  assert.match(cells[0] ?? '', /^Log in +303|^Log in +302/);
  assert.is(cells[1], 'Private');
  assert.match(cells[2] ?? '', /^Shown +F1 +same as ann, not linked$/);
});

further(test)('the requests that it took are counted as a part of the scan', async (world) => {
  const { record } = await scan(world);
  const part = record.coverage?.families.find(({ id }) => id === 'permissions');
  assert.ok((part?.requests ?? 0) > 10);
});

further(test)('no session stands in it, though the site puts one into an address', async (world) => {
  const { report } = await scan(world);
  assert.match(report, '/receipt?session=[masked');
  assert.not.match(report, 'session-of-');
});

test.run();
