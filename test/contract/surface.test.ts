import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rpcClients } from '../../kit/rpc.ts';
import { RunService } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import type { InputSurface, Surface } from '../../workflows/model/surface.ts';
import { openRun } from '../../workflows/run/run.ts';
import { store } from '../../workflows/run/store.ts';
import { storedSiteMap } from '../../workflows/survey/site-map.ts';
import { createOrg, type TestOrg } from './support/orgs.ts';
import { assertRefused } from './support/refusals.ts';
import { begin, finish, recordFamily, start } from './support/scans.ts';
import { fieldOf, listOf } from './support/values.ts';
import { startWorld, type World } from './support/world.ts';

type Context = World & { org: TestOrg; runId: string };
const test = suite('GET /api/v1/scans/:id/surface', {} as Context);

const site = 'https://example.com';
const page = (path: string, status = 200): Surface['pages'][number] => ({
  ...{ url: site + path, status, contentType: 'text/html', headers: [], setCookies: [], title: '', scripts: [] },
  source: 'page',
});
const input = (path: string, parameter: string): InputSurface => ({
  ...{ method: 'GET', url: `${site}${path}`, route: path.replace(/\?.*/, ''), parameter, in: 'query' },
  ...{ sample: '', others: [] },
});
const surface = (changes: Partial<Surface>): Surface => ({
  ...{ url: `${site}/`, host: 'example.com', addresses: [], origins: [], pages: [], forms: [], inputs: [], calls: [] },
  ...{ explored: [], skipped: [], omitted: [], ...changes },
});

test.before(async (context) => {
  Object.assign(context, await startWorld());
  context.org = await createOrg(context);
  context.runId = await start(context, context.org);
  await begin(context, context.runId);
});
test.after((world) => world.close());

test('is empty before anybody has looked', async ({ org, runId, ...world }) => {
  const { status, body } = await world.rest('ScanService/GetSurface', { runId }, { key: org.key });
  assert.equal([status, listOf(body, 'routes'), listOf(body, 'leftOut')], [200, [], []]);
});

test('names routes once, with who saw them and their inputs, and what was left out', async (context) => {
  const { org, runId, ...world } = context;
  const runs = rpcClients({ baseUrl: world.coreUrl, key: world.workerKey })(RunService);
  const run = await openRun(runs, runId, { signal: new AbortController().signal });
  const seen = {
    '': surface({
      pages: [page('/'), page('/items/7'), page('/items/8')],
      inputs: [input('/search', 'q')],
      skipped: [{ url: `${site}/logout`, code: 'ends-session', reason: 'it ends a session' }],
    }),
    anna: surface({
      pages: [page('/'), page('/account')],
      inputs: [input('/search', 'q'), input('/search', 'page')],
      calls: [{ method: 'POST', url: `${site}/api/notes`, pageUrl: `${site}/account`, held: true }],
      skipped: [{ url: `${site}/account/logout`, code: 'ends-session', reason: 'it ends a session' }],
    }),
  };
  for (const [name, each] of Object.entries(seen)) await store.siteMap.put(run, name, storedSiteMap(each, name));
  await recordFamily(world, runId);
  await finish(world, runId);

  const { body } = await world.rest('ScanService/GetSurface', { runId }, { key: org.key });
  const routes = listOf(body, 'routes');
  assert.equal(
    routes.map((route) => ['method', 'route', 'status', 'seenBy', 'unvisited'].map((name) => fieldOf(route, name))),
    [
      ['GET', '/', 200, ['', 'anna'], false],
      ['GET', '/account', 200, ['anna'], false],
      ['POST', '/api/notes', 0, ['anna'], true],
      ['GET', '/items/{id}', 200, [''], false],
      ['GET', '/search', 0, ['', 'anna'], false],
    ],
  );
  assert.equal(
    listOf(routes[4], 'inputs').map((each) => [fieldOf(each, 'name'), fieldOf(each, 'in'), fieldOf(each, 'seenBy')]),
    [
      ['q', 'query', ['', 'anna']],
      ['page', 'query', ['anna']],
    ],
  );
  assert.equal(listOf(body, 'leftOut'), [
    {
      code: 'ends-session',
      reason: 'it ends a session',
      urls: [`${site}/logout`, `${site}/account/logout`],
    },
  ]);

  const grpc = await world.grpc('ScanService/GetSurface', { runId }, { key: org.key });
  assert.is(listOf(grpc.body, 'routes').length, 5);

  const { text } = await world.rest('ScanService/GetReport', { runId }, { key: org.key });
  const map = /<section id="site-map".*?<\/section>/s.exec(text)?.[0] ?? '';
  assert.match(map, '<code>GET /items/{id}</code>');
  assert.match(map, 'q (query), page (query)');
  assert.match(map, 'no login, anna');
  assert.match(text, 'href="#site-map"');
});

test('is nobody else’s', async ({ runId, ...world }) => {
  const other = await createOrg(world);
  for (const way of ['rest', 'grpc'] as const)
    assertRefused(await world[way]('ScanService/GetSurface', { runId }, { key: other.key }), way, 'NOT_FOUND');
});

test.run();
