import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { WriteState } from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import { Depth } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { inputAction } from '../../../workflows/checks/inputs/input-request.ts';
import { inputsToProbe } from '../../../workflows/checks/inputs/probe-inputs.ts';
import { registryOf } from '../../../workflows/checks/registry.ts';
import { checkLike } from '../support/checks.ts';
import { hasEnded } from '../support/installation.ts';
import { ledgerOf } from '../support/ledger.ts';
import { openSite, page, type Site } from '../support/site.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

/** Gives each input a value that nobody wants to keep. */
const probing = checkLike({
  id: 'words.probing',
  visitors: 'each',
  detect: async ({ http, surface }) => {
    for (const input of inputsToProbe(surface)) await http.send({ ...inputAction(input, "7' or '1"), fresh: true });
    return [];
  },
});

type World = { bench: Workbench; site: Site; accounts: Map<string, string>; tastes: string[] };
const test = suite<World>('cookies that an account keeps');

/** Accounts keep what a cookie says of menus, and give it to the next browser; another cookie is only looked at. */
test.before(async (world) => {
  world.accounts = new Map(['ann', 'bob', 'carla'].map((name) => [name, 'open']));
  world.tastes = [];
  world.site = await openSite((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const cookie = request.headers.cookie ?? '';
    const who = /sid=session-of-(\w+)/.exec(cookie)?.[1];
    if (pathname !== '/account') return page(response, '<a href="/account">Account</a>');
    if (who === undefined) return page(response, '<p>Who are you?</p>', 401);
    const sent = /menus=([^;]+)/.exec(cookie)?.[1];
    if (sent !== undefined) world.accounts.set(who, sent);
    world.tastes.push(/taste=([^;]+)/.exec(cookie)?.[1] ?? '');
    response.setHeader('set-cookie', [`menus=${world.accounts.get(who)}; Path=/`, 'taste=plain; Path=/']);
    return page(response, `<p>Hello, ${who}</p>`);
  });
  world.bench = await openWorkbench(registryOf([probing], []));
  for (const [name, role] of Object.entries({ ann: 'user', bob: 'user', carla: 'admin' }))
    await world.bench.domains.putLogin({
      domain: world.bench.host,
      name,
      login: {
        kind: { case: 'cookie', value: `sid=session-of-${name}-1f3a` },
        checkUrl: `http://site.localhost:${world.site.port}/account`,
        role,
      },
    });
});
test.after(async ({ bench, site }) => {
  await bench.close();
  await site.close();
});

test('are as before when the scan has ended, and the ledger names what was tried', async (world) => {
  const { bench, site, accounts, tastes } = world;
  const { runId } = await bench.scans.startScan({ url: `http://site.localhost:${site.port}/`, depth: Depth.DEEP });
  const record = await bench.until(runId, hasEnded);
  assert.equal(Object.fromEntries(accounts), { ann: 'open', bob: 'open', carla: 'open' });
  assert.ok(
    tastes.some((taste) => taste.includes("'")),
    'what no account keeps is tried',
  );
  const reported = (await ledgerOf(bench, runId)).filter(({ description }) => description.startsWith('A cookie'));
  assert.equal(
    [...new Set(reported.map(({ state, identity }) => `${identity} ${state === WriteState.UNCHANGED}`))].toSorted(),
    ['ann true', 'bob true'],
  );
  const limits = record.coverage?.limits.filter(({ text }) => /^one cookie|^1 cookie/.test(text)) ?? [];
  assert.equal(limits.map(({ subject }) => subject).toSorted(), [
    'observation:ann',
    'observation:bob',
    'observation:carla',
  ]);
});

test.run();
