import { setTimeout as sleep } from 'node:timers/promises';
import type { CaptureRule } from '../model/experiment.ts';
import type { HttpProbe, HttpRequest } from '../model/http.ts';
import { isFinal } from '../model/probe-error.ts';
import { holds } from './assertions.ts';
import type { Session } from './observe.ts';
import { firstMatch } from './pattern.ts';
import { type PlannedWrite, undoKey } from './planned-write.ts';
import type { Observed } from './subjects/observed.ts';
import { bodyBytesFor, subjectValue } from './subjects.ts';
import { fill, fillRequest, newCapturedValues, type TrialValues } from './template.ts';

/** What it takes to take a write back. */
export type UndoTools = {
  http: HttpProbe;
  /** Sessions by identity's name. */
  identities: Readonly<Record<string, Session>>;
  /** Logs in again, in place, as whoever was logged out. */
  renewSessions?: () => Promise<unknown>;
  now(): Date;
  signal: AbortSignal;
};

type TrialUndoTools = UndoTools & { recordUndone?: (write: PlannedWrite, isSeen: boolean) => Promise<void> };

type Undoable = Pick<PlannedWrite, 'identity' | 'undo' | 'verify'>;

/** Between attempts; a site that answers nothing, or that it failed, may be well again after the longer ones. */
const pausesMs = [500, 2_000, 5_000];
const pausesWhileDownMs = [...pausesMs, 10_000, 20_000];

/**
 * Takes a write back, and reads in a fresh request whether it is gone; tries again when it is not. What the undo was
 * answered does not count: a site may refuse it because there was nothing to undo, or accept it and keep the value.
 * @returns why nothing shows that the write is gone, undefined when a read does
 * @throws the signal's reason
 */
export async function takeBack(tools: UndoTools, write: Undoable): Promise<string | undefined> {
  for (let attempt = 0; ; attempt += 1) {
    const sent = await send(tools, write).catch(notSeen);
    const look = await lookAt(tools, write.verify).catch(notSeen);
    tools.signal.throwIfAborted();
    if (look === 'unchanged') return undefined;
    // A site that is well again for the look may have been down for the undo.
    const pauseMs = (typeof sent === 'string' ? look : sent).pausesMs[attempt];
    const answered = typeof sent === 'string' ? sent : sent.missing;
    if (pauseMs === undefined) return `${answered}, and ${look.missing}; tried ${attempt + 1} times`;
    await sleep(pauseMs, undefined, { signal: tools.signal });
    await tools.renewSessions?.().catch(() => {});
  }
}

/** A write of a trial. One that got no answer may still arrive, after its undo. */
export type SentWrite = {
  write: PlannedWrite;
  isAnswered: boolean;
  /** Whether the answer was no refusal. Source: RFC 9110 §15.5. */
  isAccepted: boolean;
  /** Whether a read showed something else than before. */
  isSeen: boolean;
};

export function noteAnswer(sent: SentWrite, observed: Observed): void {
  sent.isAnswered = true;
  sent.isAccepted = observed.kind === 'http' && observed.exchange.status < 400;
}

/** What a step of the trial shows of the writes before it, where it reads what their verification would. */
export function noteSeen(
  writes: readonly SentWrite[],
  { url, identity }: { url: string; identity: string },
  observed: Observed,
  now: Date,
): void {
  for (const sent of writes) {
    const { verify } = sent.write;
    if (verify.url === url && verify.identity === identity && isChanged(verify, observed, now)) sent.isSeen = true;
  }
}

/** Reads, for those that were accepted and not seen yet, whether they have changed something. @throws the signal's reason */
export async function lookForAll(tools: UndoTools, writes: readonly SentWrite[]): Promise<void> {
  for (const group of byUndo(writes.filter(isUnseen))) {
    tools.signal.throwIfAborted();
    const { verify } = group[0].write;
    const observed = await read(tools, verify).catch(() => undefined);
    if (observed && isChanged(verify, observed, tools.now())) for (const sent of group) sent.isSeen = true;
  }
}

const isUnseen = ({ write, isAccepted, isSeen }: SentWrite): boolean => isAccepted && !isSeen && showsChanges(write);

/** One that sets what is there already claims nothing but that its page is there. */
const showsChanges = ({ verify }: PlannedWrite): boolean => verify.expect.some(({ subject }) => subject !== 'status');

/** An error page shows nothing. */
const isChanged = ({ expect }: PlannedWrite['verify'], observed: Observed, now: Date): boolean =>
  observed.kind === 'http' &&
  observed.exchange.status < 400 &&
  expect.some((each) => each.subject !== 'status' && !holds(each, subjectValue(observed, each.subject), now));

/**
 * Undoes the writes of a trial, the last first, and reports those that are verified to be gone.
 * @returns why the first of the others is not
 * @throws the signal's reason
 */
export async function takeBackAll(tools: TrialUndoTools, sent: readonly SentWrite[]): Promise<string | undefined> {
  let left: string | undefined;
  for (const group of byUndo(sent).toReversed()) {
    tools.signal.throwIfAborted();
    const [{ write }] = group;
    const areAnswered = group.every(({ isAnswered }) => isAnswered);
    const isBack = areAnswered && (await isAsBefore(tools, write.verify).catch(() => false));
    // What was never seen may stand where nothing of this looks.
    const isSeen = !isBack || group.some((sent) => sent.isSeen) || !group.some(isUnseen);
    // A control has put back what it could: another request would change the target once more for nothing.
    const why = isBack && isSeen ? undefined : await takeBack(tools, write);
    if (why === undefined && areAnswered) for (const each of group) await tools.recordUndone?.(each.write, isSeen);
    left ??= why ?? (areAnswered ? undefined : 'a change got no answer');
  }
  return left;
}

/** Writes with the same undo together, in the order of their first ones. */
function byUndo(sent: readonly SentWrite[]): [SentWrite, ...SentWrite[]][] {
  const groups = new Map<string, [SentWrite, ...SentWrite[]]>();
  for (const each of sent) {
    const group = groups.get(undoKey(each.write));
    if (group) group.push(each);
    else groups.set(undoKey(each.write), [each]);
  }
  return [...groups.values()];
}

/**
 * Whether a read shows what was there before a write.
 * @throws ProbeError, UnknownSubject, Error when there is no session to look with
 */
export const isAsBefore = async (tools: UndoTools, verify: PlannedWrite['verify']): Promise<boolean> =>
  (await lookAt(tools, verify)) === 'unchanged';

/** @returns what the undo came to, in words */
async function send(tools: UndoTools, { identity, undo }: Undoable): Promise<string> {
  const session = sessionOf(tools, identity);
  const values = newCapturedValues();
  if (undo.fresh) {
    const { url, capture } = undo.fresh;
    const missed = captureAll(await ask(tools, { url }, session, capture), capture, values);
    if (missed !== undefined) return `the page of the undo has no ${missed}`;
  }
  const { fresh: _, ...request } = undo;
  const observed = await ask(
    tools,
    fillRequest(request, (template) => fill(template, values)),
    session,
    [],
  );
  return `the undo was answered ${subjectValue(observed, 'status')}`;
}

type NotSeen = { missing: string; pausesMs: readonly number[] };
type UndoLook = 'unchanged' | NotSeen;

/** A copy that somebody keeps on the way is no answer of the site. */
const read = (tools: UndoTools, { url, identity, expect }: PlannedWrite['verify']): Promise<Observed> =>
  ask(tools, { url, headers: [['Cache-Control', 'no-cache']] }, sessionOf(tools, identity), expect);

/** Neither the value nor what stands there now is said: it may be about people. */
async function lookAt(tools: UndoTools, { url, identity, expect }: PlannedWrite['verify']): Promise<UndoLook> {
  const observed = await read(tools, { url, identity, expect });
  const failed = expect.find((claim) => !holds(claim, subjectValue(observed, claim.subject), tools.now()));
  if (!failed) return 'unchanged';
  const status = subjectValue(observed, 'status') ?? '';
  return {
    missing: `${failed.subject} at ${url} (status ${status}) is not as before`,
    pausesMs: status >= '500' ? pausesWhileDownMs : pausesMs,
  };
}

/** Where nothing may be sent any more, waiting is of no use. */
function notSeen(error: unknown): NotSeen {
  return { missing: asReason(error), pausesMs: isFinal(error) ? [] : pausesWhileDownMs };
}

function sessionOf({ identities }: UndoTools, name: string): Session | undefined {
  const session = identities[name];
  if (name !== '' && !session) throw new Error(`there is no session of ${JSON.stringify(name)}`);
  return session;
}

async function ask(
  { http }: UndoTools,
  request: HttpRequest,
  session: Session | undefined,
  about: readonly { subject: string }[],
): Promise<Observed> {
  const maxBodyBytes = bodyBytesFor(about.map(({ subject }) => subject));
  const exchange = await http.send({
    ...request,
    headers: [...(session?.headers ?? []), ...(request.headers ?? [])],
    fresh: true,
    ...(maxBodyBytes === undefined ? {} : { maxBodyBytes }),
    ...(session ? { jar: session.jar } : {}),
  });
  return { kind: 'http', exchange };
}

/** @returns the name of what is not there */
function captureAll(observed: Observed, rules: readonly CaptureRule[], values: TrialValues): string | undefined {
  for (const { name, subject, pattern } of rules) {
    const match = firstMatch(pattern, subjectValue(observed, subject) ?? '');
    const value = match?.groups[0] ?? match?.text;
    if (!value) return name;
    values.set(name, value);
  }
  return undefined;
}

const asReason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
