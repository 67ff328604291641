import { setTimeout as sleep } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { createOrg, issueServiceKey, type TestOrg } from './orgs.ts';
import { begin, finish, recordFamily, recordFindings } from './scans.ts';
import { fieldOf } from './values.ts';
import { startWorld, type World } from './world.ts';

/** Where an example is run, with the settings that it takes. */
export type ExampleContext = World & { org: TestOrg; env: NodeJS.ProcessEnv; coreAddress: string };

/** A stack with an org, and the settings of the examples. */
export async function startExamples(): Promise<ExampleContext> {
  const world = await startWorld();
  const org = await createOrg(world);
  const coreAddress = new URL(world.coreUrl).host;
  const serviceKey = await issueServiceKey(world);
  return {
    ...world,
    org,
    coreAddress,
    env: { ...process.env, CORE_ADDRESS: coreAddress, SERVICE_KEY: serviceKey, ORG_ID: org.orgId },
  };
}

/** The run that the org has started on a host, once it has. */
async function runOf({ rest, org }: ExampleContext, host: string): Promise<string> {
  for (;;) {
    const { body } = await rest('ScanService/ListScans', { host }, { key: org.key });
    const items = fieldOf(body, 'items');
    if (Array.isArray(items) && items.length > 0) return String(fieldOf(items[0], 'runId'));
    await sleep(200);
  }
}

/** Runs an example to its end while a worker finds what blocks, and completes the scan later. */
export async function completeDuring(
  context: ExampleContext,
  host: string,
  example: Promise<{ stdout: string }>,
): Promise<string> {
  const runId = await Promise.race([runOf(context, host), example.then(({ stdout }) => stdout)]);
  await begin(context, runId);
  await recordFindings(context, runId, [{ severity: 'critical' }]);
  assert.is(await Promise.race([example, sleep(2_000, 'still waiting')]), 'still waiting');
  await recordFamily(context, runId);
  await finish(context, runId);
  return (await example).stdout;
}
