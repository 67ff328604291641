import type { Callback } from '../../model/callbacks.ts';
import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment, type HttpAction } from '../../model/experiment.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { mapTemplate } from '../../proof/encoded-value.ts';
import { fillRequest, newTrialValues } from '../../proof/template.ts';
import type { CheckContext, Sampled } from '../contract.ts';
import type { OpenedInput } from './input-request.ts';
import { inputSteps, sendInput } from './open-input.ts';

/** A request that makes the server call `‹callback›` where it has the weakness, and one with the same token that makes nobody. */
export type CallbackWay = { action: HttpAction; inert: HttpAction };

/** What was sent to an input, by token. Nothing is known until it was waited for. */
export type Awaited<W extends CallbackWay> = { input: OpenedInput; sent: { token: string; way: W }[] };

/** What was called: one of the ways, by the protocols that were heard. */
export type Called<W extends CallbackWay> = { input: OpenedInput; way: W };

/** Longer than a request and a look-up of a name take. */
export const callbackWaitMs = 2_500;
/** Most servers call before they answer. */
const soonMs = 300;

/** Callbacks of what was sent. Where the run keeps what is expected, those that do not come at once are credited when others have ended. */
export async function hear(
  { callbacks, expectLater }: Pick<CheckContext, 'callbacks' | 'expectLater'>,
  tokens: readonly string[],
): Promise<Callback[]> {
  if (!callbacks || tokens.length === 0) return [];
  return callbacks.wait(tokens, expectLater ? soonMs : callbackWaitMs);
}

/** Sends each way with a token of its own. An answer that does not come may come because the server is busy calling. */
export async function sendWays<W extends CallbackWay>(
  context: CheckContext,
  input: OpenedInput,
  ways: readonly W[],
): Promise<Awaited<W> | undefined> {
  const { callbacks, nonce } = context;
  if (!callbacks || ways.length === 0) return undefined;
  const sent: Awaited<W>['sent'] = [];
  for (const way of ways) {
    const token = callbacks.newToken();
    await sendInput(
      context,
      input,
      way.action,
      newTrialValues(nonce, () => token),
    ).catch((error: unknown) => {
      if (!(error instanceof ProbeError) || (error.code !== 'timeout' && error.code !== 'protocol_error')) throw error;
    });
    sent.push({ token, way });
  }
  return { input, sent };
}

/** Whether something was only sent so far. */
const isAwaited = (found: object): found is Awaited<CallbackWay> => 'sent' in found;

/**
 * Waits once for all that was sent to all inputs: those that nobody called for are no candidates. What is called later than that
 * is credited later.
 * @param calledAs what is known of an input that was called for
 */
export async function heard<D extends object, W extends CallbackWay>(
  context: CheckContext,
  { candidates, omitted }: Sampled<D | Awaited<W>>,
  calledAs: (called: Called<W>) => D & { detail: string; cvss?: string },
): Promise<Sampled<D>> {
  const awaited = candidates.flatMap(({ data }) => (data && isAwaited(data) ? data.sent : []));
  const tokens = awaited.map(({ token }) => token);
  const called = new Set((await hear(context, tokens)).map(({ token }) => token));
  return {
    omitted,
    candidates: candidates.flatMap((candidate): Candidate<D>[] => {
      const { data } = candidate;
      if (!data || !isAwaited(data)) return [candidate as Candidate<D>];
      const { input, sent } = data as Awaited<W>;
      const asCalled = (way: W): Candidate<D> => {
        const found = calledAs({ input, way });
        const { detail, cvss } = found;
        return { ...candidate, detail, ...(cvss === undefined ? {} : { cvss }), data: found };
      };
      const first = sent.find(({ token }) => called.has(token));
      if (first) return [asCalled(first.way)];
      expectAll(
        context,
        sent.map(({ token, way }) => ({ token, candidate: asCalled(way) })),
      );
      return [];
    }),
  };
}

/** Leaves callbacks that come later to the end of the run, and reports those beyond the limit. */
export function expectAll(
  { expectLater, leave }: Pick<CheckContext, 'expectLater' | 'leave'>,
  expected: readonly { token: string; candidate: Candidate }[],
): void {
  if (!expectLater) return;
  const { length: count } = expected.filter(({ token, candidate }) => !expectLater(token, candidate));
  const text = 'a callback that comes after the check has ended does not count: there are too many to wait for';
  if (count > 0) leave({ code: 'alike', count, text });
}

/** Twice with new tokens the server calls, and with a token that is no more than a word it does not. */
export function calledExperiment(
  { input, way }: Called<CallbackWay>,
  notes: { sent: string; called: string; control: string },
  waitMs = callbackWaitMs,
): Experiment {
  const isCalled = [claim('callback:protocols', 'present', '', 'Nobody but the server knows the word.')];
  const second = (action: HttpAction): HttpAction => ({
    ...action,
    ...fillRequest(action, (template) => mapTemplate(template, (text) => text.replaceAll('‹callback›', '‹callback2›'))),
  });
  return {
    steps: [
      ...inputSteps(input, way.action, { note: notes.sent, expect: [] }),
      { callback: { token: '‹callback›', waitMs }, note: notes.called, expect: isCalled },
    ],
    control: [
      ...inputSteps(input, second(way.inert), { note: notes.control, expect: [] }),
      { callback: { token: '‹callback2›', waitMs }, note: 'Nobody calls.', expect: isCalled },
    ],
  };
}
