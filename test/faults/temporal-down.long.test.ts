import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort } from '../../dev/ports.ts';
import { startProgram } from '../../dev/process.ts';
import { startTemporal } from '../../dev/temporal.ts';
import { findTemporal } from '../../dev/temporal-program.ts';
import { ScanStatus } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { grantedCredits, hasEnded, openInstallation } from '../workflows/support/installation.ts';
import { openSite, page } from '../workflows/support/site.ts';

const outage = suite('Temporal down');

outage('a scan is accepted while Temporal is down, runs when it is back, and survives a restart of it', async () => {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'scan-audit-temporal-'));
  const site = await openSite((_request, response) => page(response, '<h1>Example</h1>'));
  const installation = await openInstallation({ host: 'site.localhost', temporalAddress: `127.0.0.1:${port}` });
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, XDG_CACHE_HOME: process.env.XDG_CACHE_HOME };
  const command = await findTemporal({ env, report: console.error, signal: new AbortController().signal });
  const logFile = join(folder, 'temporal.log');
  const databaseFile = join(folder, 'temporal.db');
  const start = () => startTemporal({ spawn: startProgram, command, port, databaseFile, logFile, env });
  const url = `http://site.localhost:${site.port}/`;
  let temporal: Awaited<ReturnType<typeof startTemporal>> | undefined;
  try {
    const worker = installation.startWorker();
    const gateway = await installation.startGateway();
    const ready = { gateway: gateway.operationsPort, core: installation.coreOperationsPort };
    assert.equal(await readiness(ready), { gateway: [200, []], core: [503, ['temporal']] });
    const early = await installation.scans.startScan({ url });
    assert.is((await installation.scans.getScan({ runId: early.runId })).status, ScanStatus.QUEUED);

    temporal = await start();
    await worker;
    assert.is((await installation.until(early.runId, hasEnded)).status, ScanStatus.COMPLETED);
    assert.equal(await readiness(ready), { gateway: [200, []], core: [200, []] });

    temporal.program.kill();
    await temporal.program.exited;
    const during = await installation.scans.startScan({ url });
    temporal = await start();
    assert.is((await installation.until(during.runId, hasEnded)).status, ScanStatus.COMPLETED);
    const { credit } = await installation.orgs.getOrg({});
    assert.is(credit?.available, grantedCredits - 2);
  } finally {
    await installation.close();
    await temporal?.program.stop();
    await site.close();
    await rm(folder, { recursive: true, force: true });
  }
});

/** What each program says of itself: the status of its operations port, and what it names. */
async function readiness(ports: Record<string, number>): Promise<Record<string, [status: number, missing: string[]]>> {
  const asked = Object.entries(ports).map(async ([name, port]) => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    const { missing } = (await answer.json()) as { missing: object };
    return [name, [answer.status, Object.keys(missing)]] as const;
  });
  return Object.fromEntries(await Promise.all(asked)) as Record<string, [number, string[]]>;
}

outage.run();
