import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { WriteState } from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import { Depth } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { registryOf } from '../../../workflows/checks/registry.ts';
import { checkLike } from '../support/checks.ts';
import { hasEnded } from '../support/installation.ts';
import { ledgerOf } from '../support/ledger.ts';
import { openSite, page, type Site } from '../support/site.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

/** Asks again and again, and looks at the page in between. */
const asking = checkLike({
  id: 'words.asking',
  detect: async ({ http, surface, nonce }) => {
    const url = new URL('/ask', surface.url).href;
    const headers: [string, string][] = [['Content-Type', 'application/x-www-form-urlencoded']];
    for (let times = 0; times < 4; times += 1) {
      await http.send({ method: 'POST', url, headers, body: `thing=k7${nonce(8)}` });
      await http.get(url, { fresh: true });
    }
    return [];
  },
});

type World = { bench: Workbench; site: Site; kept: string[] };
const test = suite<World>('forms that are observed');

/** A search that says nothing of itself, and keeps what it is asked for from the second time on; a book that keeps everything. */
test.before(async (world) => {
  world.kept = [];
  let asked = 0;
  world.site = await openSite(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const value = new URLSearchParams(body).get(pathname === '/book' ? 'words' : 'thing') ?? '';
    if (request.method === 'POST' && pathname === '/ask') asked += 1;
    if (request.method === 'POST' && (pathname === '/book' || asked > 1)) world.kept.push(value);
    const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const shown = world.kept.map((text) => `<li>${escaped(text)}</li>`).join('');
    if (pathname === '/ask' && request.method === 'POST') return page(response, `<p>None for ${escaped(value)}</p>`);
    const field = pathname === '/book' ? '<textarea name="words"></textarea>' : '<input name="thing">';
    if (pathname === '/' || pathname === '/book' || pathname === '/ask')
      return page(
        response,
        `<a href="/book">b</a><a href="/ask">a</a><form method="post" action="${pathname}">${pathname === '/' ? '' : field}</form><ul>${shown}</ul>`,
      );
    return page(response, 'none', 404);
  });
  world.bench = await openWorkbench(registryOf([asking], []));
});
test.after(async ({ bench, site }) => {
  await bench.close();
  await site.close();
});

test('a deep scan leaves what it says, and stops a form that turns out to keep what it is sent', async (world) => {
  const { bench, site, kept } = world;
  const { runId } = await bench.scans.startScan({ url: `http://site.localhost:${site.port}/`, depth: Depth.DEEP });
  const record = await bench.until(runId, hasEnded);
  const writes = await ledgerOf(bench, runId);
  const at = ({ request, state }: (typeof writes)[number]) => `${new URL(request?.url ?? '').pathname} ${state}`;
  assert.ok(writes.map(at).includes(`/book ${WriteState.LEFT}`), writes.map(at).join());
  assert.ok(writes.map(at).includes(`/ask ${WriteState.UNCHANGED}`), writes.map(at).join());
  const sent = site.requests.filter(({ method }) => method === 'POST').map(({ url }) => url);
  assert.equal(sent.sort(), ['/ask', '/ask', '/book']);
  assert.ok(writes.map(at).includes(`/ask ${WriteState.LEFT}`), writes.map(at).join());
  assert.is(kept.length, 2);
  const remark = record.coverage?.families.find(({ id }) => id === 'observation')?.reason ?? '';
  assert.match(remark, /^2 forms were sent once: of them 1 only read, 1 kept what was sent/);
  const outcomes = record.coverage?.families.flatMap((family) => family.outcomes) ?? [];
  assert.match(outcomes.find(({ checkId }) => checkId === asking.id)?.reason ?? '', /it stores what it is sent/);
});

test.run();
