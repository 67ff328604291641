import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Logger } from '../../kit/logger.ts';
import type { HttpAction as StoredAction } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import { type Write, type WriteSchema, WriteState } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { digest } from '../checks/fingerprint.ts';
import type { HttpAction } from '../model/experiment.ts';
import { type PlannedWrite, type RecordedLasting, undoKey } from '../proof/planned-write.ts';
import { assertionOf, captureOf } from '../proof/stored.ts';
import { takeBack, type UndoTools } from '../proof/take-back.ts';
import type { Run } from '../run/run.ts';

export type WriteRecord = MessageInitShape<typeof WriteSchema>;

/** A write as it is recorded before it is sent. The same write of the same action is one entry, however often it is tried. */
export function pendingRecord(actionId: string, write: PlannedWrite) {
  const { identity, description, request, undo, verify } = write;
  const { fresh, ...undoRequest } = undo;
  const captures = fresh?.capture.map((rule) => ({ secret: false, ...rule }));
  return {
    id: digest([actionId, identity, request]),
    actionId,
    identity,
    description,
    request: messageOf(request),
    undo: messageOf(undoRequest),
    verify: {
      url: verify.url,
      identity: verify.identity,
      assertions: verify.expect.map((claim) => ({ note: '', ...claim })),
    },
    ...(fresh ? { fresh: { url: fresh.url, captures: captures ?? [] } } : {}),
    state: WriteState.PENDING,
  };
}

/** A write that stays, as it is recorded before it is sent. */
export const lastingEntry = (actionId: string, { identity, description, request, place }: RecordedLasting) => ({
  ...{ id: digest([actionId, identity, request]), actionId, identity, description, place },
  request: messageOf(request),
  state: WriteState.LEFT,
});

type Recorded = Pick<Write, 'id' | 'actionId' | 'identity' | 'description'> & {
  request?: WriteRecord['request'];
  undo?: { method: string; url: string } | undefined;
  verify?: { url: string; identity: string; assertions: { subject: string; operator: string }[] } | undefined;
};

/**
 * A write that is gone: what was there before is kept no longer than it takes to put it back.
 * @param isSeen whether a read had shown that it changed something
 */
export function undoneRecord({ undo, verify, ...write }: Recorded, isSeen = true) {
  const { id, actionId, identity, description, request } = write;
  const assertions = verify?.assertions.map(({ subject, operator }) => ({ subject, operator })) ?? [];
  return {
    ...{ id, actionId, identity, description, state: isSeen ? WriteState.UNDONE : WriteState.UNSEEN },
    ...(request ? { request } : {}),
    ...(undo ? { undo: { method: undo.method, url: undo.url } } : {}),
    ...(verify ? { verify: { url: verify.url, identity: verify.identity, assertions } } : {}),
  };
}

const messageOf = ({ method = 'GET', url, headers = [], body = '' }: HttpAction) => ({
  method,
  url,
  headers: headers.map(([name, value]) => ({ name, value })),
  body,
});

/** A write that is still on the target, and why nothing shows that it is gone. */
export type Remaining = { write: Write; why: string };

type Ledger = { run: Run; logger: Logger };

/**
 * Takes back those of a run's writes that are in one of these states, the last first, and records what became of each.
 * @throws the signal's reason, ApplicationFailure of core
 */
export async function takeBackWrites(
  { run, logger }: Ledger,
  tools: UndoTools,
  states: readonly WriteState[],
): Promise<Remaining[]> {
  const writes = (await run.listWrites()).filter(({ state }) => states.includes(state));
  const remaining: Remaining[] = [];
  for (const group of sameUndo(writes).toReversed()) {
    const why = await takeBackStored(tools, group[0]);
    for (const write of group) {
      if (why === undefined) await run.recordWrite(undoneRecord(write));
      else await run.recordWrite({ ...write, state: WriteState.UNDO_FAILED, undoFailure: why });
    }
    if (why === undefined) continue;
    logger.error({ url: group[0].undo?.url, why }, 'a change to the target could not be taken back');
    remaining.push({ write: group[0], why });
  }
  return remaining;
}

/** Writes with the same undo together, in the order of their first ones. */
function sameUndo(writes: readonly Write[]): [Write, ...Write[]][] {
  const groups = new Map<string, [Write, ...Write[]]>();
  for (const write of writes) {
    const plan = planOf(write);
    const key = plan ? undoKey(plan) : write.id;
    const group = groups.get(key);
    if (group) group.push(write);
    else groups.set(key, [write]);
  }
  return [...groups.values()];
}

const takeBackStored = async (tools: UndoTools, write: Write): Promise<string | undefined> => {
  const plan = planOf(write);
  return plan ? takeBack(tools, plan) : 'it was recorded without what would take it back and show that it is gone';
};

/** What takes a stored write back; undefined when it was stored without. */
function planOf({
  identity,
  undo,
  verify,
  fresh,
}: Write): Pick<PlannedWrite, 'identity' | 'undo' | 'verify'> | undefined {
  const [first, ...others] = verify?.assertions.map(assertionOf) ?? [];
  if (!undo || !verify || !first) return undefined;
  return {
    identity,
    undo: {
      ...requestOf(undo),
      ...(fresh ? { fresh: { url: fresh.url, capture: fresh.captures.map(captureOf) } } : {}),
    },
    verify: { url: verify.url, identity: verify.identity, expect: [first, ...others] },
  };
}

function requestOf({ method, url, headers, body }: StoredAction) {
  const fields = headers.map(({ name, value }) => [name, value] as const);
  return { method, url, headers: fields, ...(body === '' ? {} : { body }) };
}
