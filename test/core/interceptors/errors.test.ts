import type { EntityManager } from '@mikro-orm/postgresql';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { deps } from '../../../core/context.ts';
import { issueKey } from '../../../core/keys/issue-key.ts';
import type { Service } from '../../../core/services.ts';
import { RunService } from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import { refused, startCore, type TestCore } from '../support.ts';

const lock = (tx: EntityManager, name: number) => tx.execute('select pg_advisory_xact_lock(99, ?)', [name]);

/** Two calls that each hold what the other wants. */
let holding = 0;
const { promise: bothHold, resolve: nowBothHold } = Promise.withResolvers<void>();
const deadlocking: Service = {
  desc: RunService,
  register: (router, options) =>
    router.service(
      RunService,
      {
        getRun: async ({ runId }, ctx) => {
          const [first, second] = runId === 'a' ? [1, 2] : [2, 1];
          await deps(ctx)
            .em.fork()
            .transactional(async (tx) => {
              await lock(tx, first);
              holding += 1;
              if (holding === 2) nowBothHold();
              await bothHold;
              await lock(tx, second);
            });
          return { runId };
        },
      },
      options,
    ),
};

let core: TestCore;
const test = suite('errors');
test.before(async () => {
  core = await startCore({ services: [deadlocking] });
});
test.after(() => core.close());

test('of two calls that wait for each other one succeeds, and the other may be made again', async () => {
  const key = { kind: 'worker', orgId: '', name: 'test', scopes: [] } as const;
  const client = core.as((await issueKey(core.program.core.em, key)).secret)(RunService);
  const calls = ['a', 'b'].map((runId) => client.getRun({ runId }));
  const ends = await Promise.allSettled(calls);
  const lost = ends.filter((end) => end.status === 'rejected');
  assert.is(lost.length, 1);
  const { reason, retryMs } = await refused(Promise.reject(lost[0]?.reason));
  assert.equal([reason, retryMs], ['UNAVAILABLE', 100]);
});

test.run();
