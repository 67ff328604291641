import type { HttpAction } from '../model/experiment.ts';
import { lastingRecord, type PlannedWrite, plannedWrite, type RecordedLasting, undoKey } from './planned-write.ts';
import { ChangedMeanwhile, ProofError } from './proof-error.ts';
import { isAsBefore, type SentWrite, type UndoTools } from './take-back.ts';

/** The ledger; what it lacks is not sent. */
type Announcing = UndoTools & {
  recordWrite?: (write: PlannedWrite) => Promise<void>;
  recordLasting?: (write: RecordedLasting) => Promise<void>;
};

type Announcement = {
  /** Whose step it is. */
  identity: string;
  /** What sessions hold, and what was captured as a secret. */
  secrets: readonly string[];
  /** Those that were sent before: this one is added to them. */
  writes: SentWrite[];
};

/**
 * Records a write before it is sent. One that has an undo is sent only where a read shows what was there before, so that the same read
 * can show it again.
 * @returns it, when it has to be taken back
 * @throws ProofError when it must not be sent, ChangedMeanwhile when something else is there now
 */
export async function announce(
  context: Announcing,
  { write, lasting, ...http }: HttpAction,
  { identity, secrets, writes }: Announcement,
): Promise<SentWrite | undefined> {
  if (lasting) {
    if (!context.recordLasting) throw new ProofError('a step stores something that stays, which is not allowed here');
    await context.recordLasting(lastingRecord({ ...http, lasting }, identity, secrets));
    return undefined;
  }
  if (!write) return undefined;
  if (!context.recordWrite) throw new ProofError('a step changes the target, but writes cannot be recorded here');
  const planned = plannedWrite({ ...http, write }, identity, secrets);
  const isFirst = writes.every(({ write: earlier }) => undoKey(earlier) !== undoKey(planned));
  if (isFirst && !(await isAsBefore(context, planned.verify)))
    throw new ChangedMeanwhile(
      `${planned.verify.url} does not show what a change would have to be put back to; nothing was sent`,
    );
  await context.recordWrite(planned);
  const sent = { write: planned, isAnswered: false, isAccepted: false, isSeen: false };
  writes.push(sent);
  return sent;
}
