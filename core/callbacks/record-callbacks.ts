import type { EntityManager } from '@mikro-orm/postgresql';
import { type Callback, CallbackProtocolSchema } from '../../proto/gen/scanaudit/v1/callbacks_pb.ts';
import { enumWord } from '../enum-words.ts';
import { Refusal } from '../errors.ts';
import { readRunningRun } from '../runs/in-run.ts';

/**
 * Stores callbacks of running runs, each token once by each protocol; what is for other runs is dropped.
 * @returns how many are for running runs
 */
export async function recordCallbacks(em: EntityManager, callbacks: readonly Callback[]): Promise<number> {
  let accepted = 0;
  for (const [runId, ofRun] of Map.groupBy(callbacks, (callback) => callback.runId)) {
    try {
      await readRunningRun(em, runId, async (tx, { orgId }) => {
        for (const { token, protocol, address, detail } of ofRun)
          await tx.execute(
            `insert into callbacks (run_id, token, protocol, org_id, address, detail) values (?, ?, ?, ?, ?, ?)
             on conflict do nothing`,
            [runId, token, enumWord(CallbackProtocolSchema, protocol), orgId, address, detail],
          );
      });
      accepted += ofRun.length;
    } catch (error) {
      if (!hasEnded(error)) throw error;
    }
  }
  return accepted;
}

/** The listener cannot know which runs have ended. */
const hasEnded = (error: unknown): boolean =>
  error instanceof Refusal && (error.reason === 'RUN_NOT_RUNNING' || error.reason === 'NOT_FOUND');
