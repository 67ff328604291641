/**
 * Records the histories that the workflow's code must replay for ever: `node test/replay/record.ts`, then Biome on its folder.
 * Run it when the workflow may change what scans in progress do, after all of these have ended; a change that old
 * scans must survive needs Temporal's `patched` instead.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cancellationSignal, heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { Depth } from '../../workflows/model/tasks.ts';
import { openStage, type ScriptedActivities, type Started } from '../workflows/support/temporal.ts';
import { historiesFolder } from './histories.ts';

const step = (actionId: string) => ({ key: `${actionId} f1`, actionId, factIds: ['f1'] });

type Scenario = { depth: Depth; activities: Partial<ScriptedActivities>; during?: (scan: Started) => Promise<void> };

const scenarios: Record<string, Scenario> = {
  /** A family takes two slices and another one fails for good. */
  standard: {
    depth: 'standard',
    activities: {
      runFamily: async ({ family, before }) => {
        if (family === 'headers') throw ApplicationFailure.nonRetryable('boom', 'crash');
        const done = before.requests > 0;
        return { outcomes: [], requests: before.requests + 5, done };
      },
    },
  },
  /** Logs in as one of two identities, chains two steps of which one is lost. */
  deep: {
    depth: 'deep',
    activities: {
      beginRun: async () => ({
        standard: ['headers', 'tls'],
        deep: ['deep/access'],
        logins: ['a', 'b'],
        requestsPerSecond: 20,
      }),
      proveLogin: async ({ login }) => ({ proven: login === 'a', requests: 4 }),
      planNext: async ({ stateRef }) => ({
        steps: stateRef === undefined ? [step('chains.a'), step('chains.b')] : [],
        stateRef: 'state',
      }),
      runChainStep: async (input) => {
        if (input.step.actionId === 'chains.b') throw ApplicationFailure.nonRetryable('boom', 'crash');
        return { requests: 3 };
      },
    },
  },
  /** Of three deep families, two change the target, so that they run after the other one. */
  writing: {
    depth: 'deep',
    activities: {
      beginRun: async () => ({
        standard: ['headers'],
        deep: ['deep/access', 'deep/auth', 'deep/cookies'],
        writing: ['deep/access', 'deep/auth'],
        logins: ['a'],
        requestsPerSecond: 20,
      }),
    },
  },
  /** Families of different weights share the rate; the heaviest begins first and takes a second slice. */
  weighted: {
    depth: 'standard',
    activities: {
      beginRun: async () => ({
        standard: ['headers', 'exposure', 'tls', 'client', 'access', 'cookies'],
        deep: [],
        logins: [],
        weights: { headers: 50, exposure: 670, tls: 90, client: 60, access: 50, cookies: 50 },
        requestsPerSecond: 20,
      }),
      runFamily: async ({ family, before }) => ({
        outcomes: [],
        requests: before.requests + 5,
        done: family !== 'exposure' || before.requests > 0,
      }),
    },
  },
  /** Of four chain steps, the one that changes the target runs after the others, of which one is lost. */
  beside: {
    depth: 'deep',
    activities: {
      planNext: async ({ stateRef }) => ({
        steps: stateRef === undefined ? ['chains.w', 'chains.a', 'chains.b', 'chains.c'].map(step) : [],
        stateRef: 'state',
        writing: ['chains.w'],
      }),
      runChainStep: async (input) => {
        if (input.step.actionId === 'chains.b') throw ApplicationFailure.nonRetryable('boom', 'crash');
        return { requests: 3 };
      },
    },
  },
  /** Hears callbacks; of one that was recorded when they were proven at the end alone. */
  hearing: {
    depth: 'deep',
    activities: {
      beginRun: async () => ({
        standard: ['headers'],
        deep: ['deep/access'],
        logins: [],
        requestsPerSecond: 20,
        hearsCallbacks: true,
      }),
    },
  },
  /** Canceled while families run. */
  canceled: {
    depth: 'deep',
    activities: {
      runFamily: async () => {
        const pulse = setInterval(() => heartbeat(), 200);
        await sleep(60_000, undefined, { signal: cancellationSignal() }).catch(() => {});
        clearInterval(pulse);
        cancellationSignal().throwIfAborted();
        throw new Error('it was not canceled');
      },
    },
    during: async (scan) => {
      while (scan.of('runFamily').length < 2) await sleep(20);
      await scan.handle.cancel();
    },
  },
};

const stage = await openStage();
await mkdir(historiesFolder, { recursive: true });
for (const [name, { depth, activities, during }] of Object.entries(scenarios)) {
  const scan = await stage.start({ depth }, activities);
  await during?.(scan);
  await scan.ended();
  const history: unknown = JSON.parse(historyToJSON(await scan.handle.fetchHistory()), impersonal);
  await writeFile(join(historiesFolder, `${name}.json`), `${JSON.stringify(history, null, 2)}\n`);
}
await stage.close();

/** Where and by whom it was recorded is nobody's business, and changes with each recording. */
function impersonal(name: string, value: unknown): unknown {
  if (['stackTrace', 'identity', 'binaryChecksum'].includes(name)) return '';
  return typeof value === 'string' && /^\d+@/.test(value) ? 'worker' : value;
}
