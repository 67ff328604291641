import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rpcClients } from '../../kit/rpc.ts';
import { DomainService } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { KeyService } from '../../proto/gen/scanaudit/v1/keys_pb.ts';
import { KeyKind } from '../../proto/gen/scanaudit/v1/options_pb.ts';
import { Depth, ScanService, ScanStatus, Verdict } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { further } from '../support/further.ts';
import { grantedCredits, hasEnded, type Installation, openInstallation } from '../workflows/support/installation.ts';
import type { Site } from '../workflows/support/site.ts';
import { openSlowSite } from './support.ts';

type World = { installation: Installation; site: Site; spent: number };

const faults = suite<World>('faults in mid-scan');
faults.before(async (world) => {
  world.site = await openSlowSite();
  world.installation = await openInstallation({ host: 'site.localhost' });
  world.spent = 0;
  await world.installation.startWorker();
});
faults.after(async ({ installation, site }) => {
  await installation.close();
  await site.close();
});

async function startAndReachTheMiddle({ installation, site }: World, scans = installation.scans): Promise<string> {
  const before = site.requests.length;
  const { runId } = await scans.startScan({ url: `http://site.localhost:${site.port}/` });
  await installation.until(runId, () => site.requests.length > before + 8);
  return runId;
}

/** Every scan that ended properly costs its credit once, and nothing stays reserved. */
async function assertCharged(world: World, credits: number): Promise<void> {
  world.spent += credits;
  const { credit } = await world.installation.orgs.getOrg({});
  assert.is(credit?.available, grantedCredits - world.spent);
  assert.is(credit?.reserved, 0);
}

const ends: [what: string, end: (world: World, started: Started) => Promise<unknown>][] = [
  ['is canceled', ({ installation }, { runId }) => installation.scans.cancelScan({ runId })],
  [
    'lost its domain',
    async ({ installation: { operator, orgId } }) =>
      operator(DomainService).withdrawDomain({ orgId, domain: 'site.localhost' }),
  ],
  [
    'was started by a key that is revoked',
    ({ installation }, { keyId }) => installation.operator(KeyService).revokeKey({ keyId }),
  ],
];

type Started = { runId: string; keyId: string };

// The ends have one way to the worker; which of them cancel a scan is tested in test/core/endings.
for (const [what, end] of ends)
  (what === 'is canceled' ? faults : further(faults))(
    `a scan that ${what} closes its last connection within 3 seconds and is charged once`,
    async (world) => {
      const { installation, site } = world;
      const { operator, orgId, coreUrl } = installation;
      await operator(DomainService).approveDomain({ orgId, domain: 'site.localhost', includeSubdomains: true });
      const issued = await operator(KeyService).issueKey({
        kind: KeyKind.ORG,
        name: 'ci',
        orgId,
        scopes: ['scans:write'],
      });
      const scans = rpcClients({ baseUrl: coreUrl, key: issued.secret })(ScanService);
      const runId = await startAndReachTheMiddle(world, scans);
      assert.ok(site.openSockets() > 0);
      const endedAt = Date.now();
      await end(world, { runId, keyId: issued.key?.keyId ?? '' });
      const scan = await installation.until(runId, hasEnded);
      assert.is(scan.status, ScanStatus.CANCELED);
      while (site.openSockets() > 0 && Date.now() - endedAt < 5_000) await sleep(10);
      assert.is(site.openSockets(), 0);
      assert.ok(site.lastClosedMs() - endedAt <= 3_000, `took ${site.lastClosedMs() - endedAt} ms`);
      const { length } = site.requests;
      await sleep(1_000);
      assert.is(site.requests.length, length, 'a request left after the end');
      await operator(DomainService).approveDomain({ orgId, domain: 'site.localhost', includeSubdomains: true });
      await assertCharged(world, 1);
    },
  );

further(faults)(
  'a worker that is killed and started again completes the scan and it is charged once',
  async (world) => {
    const { installation, site } = world;
    const runId = await startAndReachTheMiddle(world);
    const killed = installation.program('worker');
    killed?.kill();
    await killed?.exited;
    await installation.startWorker();
    const backAt = Date.now();
    const requestsBefore = site.requests.length;
    await installation.until(runId, () => site.requests.length > requestsBefore);
    // The survey begins anew when its heartbeat is missed: 10 s, and the pause before another attempt.
    assert.ok(Date.now() - backAt < 30_000, `went on after ${Date.now() - backAt} ms`);
    const scan = await installation.until(runId, hasEnded);
    assert.is(scan.status, ScanStatus.COMPLETED);
    assert.is(
      scan.coverage?.families.some(({ id }) => id === 'survey'),
      true,
    );
    await assertCharged(world, 1);
  },
);

further(faults)('a core that is killed and started again in mid-scan loses nothing', async (world) => {
  const { installation } = world;
  const runId = await startAndReachTheMiddle(world);
  const killed = installation.program('core');
  killed?.kill();
  await killed?.exited;
  await installation.restartCore();
  const scan = await installation.until(runId, hasEnded);
  assert.is(scan.status, ScanStatus.COMPLETED);
  await assertCharged(world, 1);
});

faults('a host that does not answer fails the scan as unreachable, and the credit comes back', async (world) => {
  const { installation } = world;
  const { runId } = await installation.scans.startScan({ url: 'http://site.localhost:9/' });
  const scan = await installation.until(runId, hasEnded);
  assert.is(scan.status, ScanStatus.FAILED);
  assert.is(scan.failure?.code, 'unreachable');
  assert.is(scan.credits, 0);
  const gate = await installation.scans.getGate({ runId });
  assert.is(gate.verdict, Verdict.INCONCLUSIVE);
  await assertCharged(world, 0);
});

faults(
  'a host at an address that is not allowed fails the scan as forbidden_address before anything is sent',
  async (world) => {
    const { installation, site } = world;
    const { operator, orgId } = installation;
    await operator(DomainService).approveDomain({ orgId, domain: 'other.localhost', includeSubdomains: false });
    const before = site.requests.length;
    const { runId } = await installation.scans.startScan({ url: `http://other.localhost:${site.port}/` });
    const scan = await installation.until(runId, hasEnded);
    assert.is(scan.failure?.code, 'forbidden_address');
    assert.is(site.requests.length, before);
    await assertCharged(world, 0);
  },
);

further(faults)(
  'a deep scan without an identity of a site without a login completes, and its gate says what that leaves out',
  async (world) => {
    const { installation, site } = world;
    const { runId } = await installation.scans.startScan({
      url: `http://site.localhost:${site.port}/`,
      depth: Depth.DEEP,
    });
    const scan = await installation.until(runId, hasEnded);
    assert.is(scan.status, ScanStatus.COMPLETED);
    assert.is(scan.coverage?.complete, true);
    const gate = await installation.scans.getGate({ runId });
    assert.is.not(gate.verdict, Verdict.INCONCLUSIVE);
    assert.match(gate.reason, 'without test identities nothing was tested as a user');
    await assertCharged(world, 5);
  },
);

further(faults)('a worker that is asked to stop in mid-scan hands the scan to the next one', async (world) => {
  const { installation } = world;
  const runId = await startAndReachTheMiddle(world);
  const next = installation.startWorker('second');
  await installation.program('worker')?.stop();
  await next;
  const scan = await installation.until(runId, hasEnded);
  assert.is(scan.status, ScanStatus.COMPLETED);
  await assertCharged(world, 1);
});

faults.run();
