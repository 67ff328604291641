import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { loadStackConfig } from '../../dev/config.ts';
import { type RunningStack, type StackFacts, startStack } from '../../dev/stack.ts';
import { openSlowSite } from '../faults/support.ts';
import type { Site } from '../workflows/support/site.ts';

const killsOfEach = 10;
const scanLimitMs = 180_000;

const Started = z.object({ runId: z.string() });
const Scan = z.object({ status: z.string(), phase: z.string(), requests: z.number(), credits: z.number() });
const Org = z.object({ credit: z.object({ available: z.number(), reserved: z.number() }) });

type Context = { home: string; site: Site; stack: RunningStack; pidOf(name: string): number };
const test = suite('programs that are killed in mid-scan', {} as Context);

test.before(async (context) => {
  context.site = await openSlowSite();
  context.home = await mkdtemp(join(tmpdir(), 'scan-audit-kills-'));
  const env = { ...process.env, SCAN_AUDIT_HOME: context.home, GATEWAY_PORT: '0', CORE_PORT: '0', LOG_LEVEL: 'warn' };
  const never = new AbortController();
  context.stack = await startStack({
    config: loadStackConfig(env),
    report: () => undefined,
    signal: never.signal,
    onSupervisor: (supervisor) => {
      context.pidOf = (name) => supervisor.pids()[name] ?? 0;
    },
  });
});
test.after(async ({ stack, site, home }) => {
  await stack?.stop();
  await site?.close();
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
});

/** Asks as a patient client does: what a killed program leaves unanswered is asked again. */
async function ask(facts: StackFacts, path: string, body?: object, idempotencyKey?: string): Promise<unknown> {
  for (const giveUpAt = Date.now() + 60_000; ; await sleep(250)) {
    try {
      const response = await fetch(new URL(path, facts.gatewayUrl), {
        headers: {
          authorization: `Bearer ${facts.apiKey}`,
          ...(body && { 'content-type': 'application/json' }),
          ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
        },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
      if (response.ok) return await response.json();
      assert.ok([409, 429, 500, 502, 503, 504].includes(response.status), `${path}: ${response.status}`);
    } catch (error) {
      if (error instanceof assert.Assertion || Date.now() > giveUpAt) throw error;
    }
    assert.ok(Date.now() < giveUpAt, `${path} is not answered`);
  }
}

async function scanUntil(facts: StackFacts, runId: string, isThere: (scan: z.infer<typeof Scan>) => boolean) {
  for (const giveUpAt = Date.now() + scanLimitMs; ; await sleep(200)) {
    const scan = Scan.parse(await ask(facts, `/api/v1/scans/${runId}`));
    if (isThere(scan)) return scan;
    assert.ok(Date.now() < giveUpAt, `scan ${runId} is ${scan.status} in ${scan.phase}`);
  }
}

const creditOf = async (facts: StackFacts) => Org.parse(await ask(facts, '/api/v1/org')).credit;

for (const program of ['worker', 'core', 'gateway', 'temporal', 'postgres']) {
  test(`${killsOfEach} kills of ${program} lose no scan and charge none twice`, async ({ stack: { facts }, site, pidOf }) => {
    const url = `http://shop.localhost:${site.port}/`;
    const before = await creditOf(facts);
    for (let round = 1; round <= killsOfEach; round += 1) {
      const key = `${program}-${round}`;
      const { runId } = Started.parse(await ask(facts, '/api/v1/scans', { url }, key));
      await scanUntil(facts, runId, ({ requests, status }) => requests > 0 || status === 'completed');
      await sleep(Math.random() * 3_000);
      process.kill(pidOf(program), 'SIGKILL');
      const ended = await scanUntil(facts, runId, ({ status }) => !['queued', 'running'].includes(status));
      assert.equal([ended.status, ended.credits], ['completed', 1], `round ${round}`);
    }
    const after = await creditOf(facts);
    assert.equal(after, { available: before.available - killsOfEach, reserved: before.reserved });
  });
}

test.run();
