import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OmissionCode } from '../../../proto/gen/scanaudit/v1/coverage_pb.ts';
import { ScanStatus } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { html, json, type Site, startSite } from '../../fixtures/site.ts';
import { further } from '../../support/further.ts';
import { databaseText } from '../../support/traces.ts';
import { hasEnded, type Installation, openInstallation } from '../support/installation.ts';

const host = 'site.localhost';
const pass = 'canary-pass-5f0c9b7e21';

type Seen = { path: string; query: string; pass: string | undefined };
type World = { installation: Installation; site: Site; seen: Seen[] };

const test = suite<World>('a scan with headers and documents of its scope');
test.before(async (world) => {
  world.seen = [];
  // A site behind a gate that asks for a header, and that shows it: nothing links to its API.
  world.site = await startSite(
    (request) => {
      const given = request.headers['x-audit-pass'];
      world.seen.push({ path: request.path, query: request.query.toString(), pass: given?.toString() });
      if (given !== pass) return html('<h1>Forbidden</h1>', 403);
      if (request.path === '/')
        return html(`<h1>Shop</h1><p>You sent ${given}</p><script src="/app.js"></script>`, 200, { 'x-seen': pass });
      if (request.path === '/api/items/7') return json({ id: 7, seen: given });
      // Reflected as it is.
      if (request.path === '/api/search') return html(`<p>Nothing found for ${request.query.get('q')}</p>`);
      return undefined;
    },
    { host },
  );
  world.installation = await openInstallation({ host, logLevel: 'debug' });
  await world.installation.startWorker();
});
test.after(async ({ installation, site }) => {
  await installation.close();
  await site.close();
});

const described = {
  openapi: '3.0.0',
  paths: {
    '/api/items/{id}': {
      get: { parameters: [{ name: 'id', in: 'path', schema: { type: 'integer', example: 7 } }] },
      delete: {},
    },
    '/api/search': { get: { parameters: [{ name: 'q', in: 'query', schema: { type: 'string', example: 'lamp' } }] } },
    '/elsewhere': { get: {}, servers: [{ url: 'https://api.elsewhere.example' }] },
  },
};

test('sends the headers with every request, finds what the documents lead to, and says what is left out', async (world) => {
  const { installation, site, seen } = world;
  const documents = [{ name: 'shop.json', content: JSON.stringify(described) }];
  const headers = [{ name: 'X-Audit-Pass', value: pass }];
  await installation.domains.putScope({ domain: host, scope: { headers, documents, headersOverHttp: true } });
  const { runId } = await installation.scans.startScan({ url: site.url });
  const scan = await installation.until(runId, hasEnded);
  assert.is(scan.status, ScanStatus.COMPLETED, scan.failure?.detail);

  assert.ok(seen.length > 20, `${seen.length} requests`);
  assert.equal(
    seen.filter((request) => request.pass !== pass),
    [],
  );
  assert.ok(seen.some(({ path }) => path === '/api/items/7'));
  const { items } = await installation.scans.listFindings({ runId });
  const found = items.find(({ checkId }) => checkId === 'injection.reflected-xss');
  assert.equal([found?.location?.parameter, new URL(found?.location?.url ?? 'x:').pathname], ['q', '/api/search']);

  const limits = scan.coverage?.limits.filter(({ subject }) => subject === 'survey:documents') ?? [];
  const limitOf = (code: OmissionCode) => limits.find((each) => each.code === code);
  assert.is(limitOf(OmissionCode.OTHER_HOST)?.count, 1);
  assert.match(
    limitOf(OmissionCode.OTHER_HOST)?.text ?? '',
    'a host that this scan does not audit (api.elsewhere.example)',
  );
  assert.is(limitOf(OmissionCode.WOULD_WRITE)?.count, 1);

  const report = await installation.scans.getReport({ runId });
  for (const [place, text] of Object.entries({
    database: await databaseText(installation.databaseUrl),
    report: Buffer.from(report.content).toString(),
    worker: await installation.log('worker'),
    core: await installation.log('core'),
  }))
    assert.not.ok(text.includes(pass), `the value of the header is in the ${place}`);
});

further(test)(
  'documents that are for other hosts alone leave a gap in the coverage',
  async ({ installation, site }) => {
    const elsewhere = { ...described, servers: [{ url: 'https://api.elsewhere.example' }] };
    const documents = [{ name: 'elsewhere.json', content: JSON.stringify(elsewhere) }];
    await installation.domains.putScope({
      domain: host,
      scope: { headers: [{ name: 'X-Audit-Pass', value: pass }], documents, headersOverHttp: true },
    });
    const { runId } = await installation.scans.startScan({ url: site.url });
    const scan = await installation.until(runId, hasEnded);
    assert.is(scan.coverage?.complete, false);
    const gap = scan.coverage?.gaps.find(({ subject }) => subject === 'survey:documents');
    assert.match(gap?.text ?? '', 'api.elsewhere.example');
  },
);

further(test)(
  'without leave to, no header is sent over plain http, and the survey says so',
  async ({ installation, site, seen }) => {
    await installation.domains.putScope({
      domain: host,
      scope: { headers: [{ name: 'X-Audit-Pass', value: pass }] },
    });
    const before = seen.length;
    const { runId } = await installation.scans.startScan({ url: site.url });
    const scan = await installation.until(runId, hasEnded);
    const requests = seen.slice(before);
    assert.ok(requests.length > 0);
    assert.equal(
      requests.filter((request) => request.pass !== undefined),
      [],
    );
    const survey = scan.coverage?.families.find(({ id }) => id === 'survey');
    assert.match(survey?.reason ?? '', '"headersOverHttp": true');
  },
);

test.run();
