import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inSystem } from '../../../core/db/session.ts';
import { issueKey } from '../../../core/keys/issue-key.ts';
import type { Service } from '../../../core/services.ts';
import { RunService } from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import { isRefused, startCore, type TestCore } from '../support.ts';

/** How calls ended inside of core, by the run that they name. */
const aborted = new Map<string, Promise<unknown>>();
const abortOf = (runId: string, signal: AbortSignal) => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  signal.addEventListener('abort', () => resolve(signal.reason));
  aborted.set(runId, promise);
  return promise;
};

const slow: Service = {
  desc: RunService,
  register: (router, options) =>
    router.service(
      RunService,
      {
        getRun: async ({ runId }, { signal }) => {
          await abortOf(runId, signal);
          return {};
        },
        async *getArtifact({ runId }, { signal }) {
          abortOf(runId, signal);
          for (;;) {
            yield { contentType: 'text/plain', chunk: new Uint8Array(1) };
            await sleep(100);
          }
        },
      },
      options,
    ),
};

let core: TestCore;
const test = suite('a key that ends while it is used');
test.before(async () => {
  core = await startCore({ services: [slow] });
});
test.after(() => core.close());

async function worker() {
  const { em } = core.program.core;
  const { secret, row } = await issueKey(em, { kind: 'worker', orgId: '', name: 'test', scopes: [] });
  const revoke = () =>
    inSystem(em, 'operator', (tx) =>
      tx.execute('update api_keys set revoked_at = now() where key_id = ?', [row.keyId]),
    );
  return { client: core.as(secret)(RunService), revoke };
}

async function isAborted(runId: string): Promise<void> {
  const reason = await Promise.race([aborted.get(runId), sleep(10_000, 'nothing, so far', { ref: false })]);
  assert.match(String(reason), 'The API key is mistyped, unknown, expired or revoked.');
}

test('ends a call that waits, and what works on it', async () => {
  const { client, revoke } = await worker();
  const waiting = client.getRun({ runId: 'waits' });
  waiting.catch(() => {});
  while (!aborted.has('waits')) await sleep(10);
  await revoke();
  await isRefused(waiting, 'INVALID_KEY');
  await isAborted('waits');
});

test('ends a stream in its middle, and what works on it', async () => {
  const { client, revoke } = await worker();
  const read = async () => {
    let chunks = 0;
    for await (const { chunk } of client.getArtifact({ runId: 'streams' }, { timeoutMs: 60_000 })) {
      chunks += chunk.byteLength;
      if (chunks === 2) await revoke();
    }
  };
  await isRefused(read(), 'INVALID_KEY');
  await isAborted('streams');
});

test('a stream that is left early ends what works on it', async () => {
  const { client } = await worker();
  const gone = new AbortController();
  const stream = client.getArtifact({ runId: 'left' }, { signal: gone.signal, timeoutMs: 60_000 });
  const reader = stream[Symbol.asyncIterator]();
  await reader.next();
  gone.abort();
  await reader.next().catch(() => {});
  assert.ok(await Promise.race([aborted.get('left'), sleep(10_000, '', { ref: false })]));
});

test.run();
