import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FamilyStatus, OutcomeKind, Verdict } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { registryOf } from '../../../workflows/checks/registry.ts';
import { bodyHas, checkLike } from '../support/checks.ts';
import { hasEnded } from '../support/installation.ts';
import { openSite, page, type Site } from '../support/site.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

/** Proves something on the open page, looks at what the firewall keeps, and asks for nothing. */
const open = checkLike({
  id: 'open.word',
  detect: ({ surface }) => [{ location: { url: surface.url } }],
  confirm: (_context, { location }) => bodyHas(location.url, 'welcome'),
});
const kept = checkLike({
  id: 'kept.payload',
  detect: async ({ http, surface }) => {
    await http.get(new URL('/search?q=%3Cscript%3E', surface.url).href);
    return [];
  },
});
const idle = checkLike({ id: 'idle.nothing' });

const test = suite<{ bench: Workbench; site: Site }>('a site behind a firewall');
test.before(async (world) => {
  world.site = await openSite(({ url = '' }, response) => {
    if (url.includes('script'))
      return page(response, '<title>Just a moment</title>', 403, { 'cf-mitigated': 'challenge', server: 'cloudflare' });
    if (url === '/') return page(response, 'welcome');
    return page(response, 'none', 404);
  });
  world.bench = await openWorkbench(registryOf([open, kept, idle], []));
});
test.after(async ({ bench, site }) => {
  await bench.close();
  await site.close();
});

test('what the firewall answered counts neither as found nor as clean, and the coverage says who answered', async ({
  bench,
  site,
}) => {
  const { runId } = await bench.scans.startScan({ url: `http://site.localhost:${site.port}/` });
  const record = await bench.until(runId, hasEnded);
  const family = (id: string) => record.coverage?.families.find((each) => each.id === id);
  assert.is(family('open')?.outcomes[0]?.outcome, OutcomeKind.FOUND);
  assert.is(family('open')?.reason, '');
  assert.is(family('idle')?.outcomes[0]?.outcome, OutcomeKind.CLEAN);
  assert.is(family('kept')?.status, FamilyStatus.DONE);
  assert.is(family('kept')?.outcomes[0]?.outcome, OutcomeKind.NOT_RUN);
  assert.match(family('kept')?.outcomes[0]?.reason ?? '', /^blocked: Cloudflare answered .* instead of the site/);
  const sentence = 'a firewall or limit (Cloudflare) answered 1 of 1 requests instead of the site';
  assert.is(family('kept')?.reason, sentence);
  assert.ok(record.coverage?.gaps.some(({ subject, text }) => subject === 'kept' && text === sentence));
  assert.is(record.coverage?.complete, false);
  const gate = await bench.scans.getGate({ runId });
  assert.is(gate.verdict, Verdict.INCONCLUSIVE);
});

test.run();
