import { type CaptureRule, claim, type Experiment, type Step } from '../../model/experiment.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { shuffled } from '../../model/shuffled.ts';
import { fittedLine } from '../../proof/fitted-line.ts';
import type { CheckContext } from '../contract.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { inputSteps } from '../inputs/open-input.ts';
import type { BreakingSign } from './breaking-signs.ts';
import { unlessBroken } from './computed-result.ts';
import { askerOf } from './sql-decision.ts';

/** A value that makes what evaluates it wait, for one way of standing there. */
export type Delaying = {
  /** What evaluates it and where it stands, for the reader. */
  where: string;
  value(seconds: string): string;
  /** The same characters with the name of the function or program misspelt. */
  broken(seconds: string): string;
  /** What cannot be parsed behind the site's own value where it stands so; undefined for a value that fits several kinds of places. */
  brokenBy?: BreakingSign;
  /** Where nothing waits by the clock: the same with so many turns of a calculation for a second. */
  paced?: (turns: number) => Delaying;
  /** Share of the slope that it may differ by: a server that compiles as it runs keeps no pace. */
  tolerance?: number;
};

export type Delayed = {
  delaying: Delaying;
  /** Seconds of the shorter delay. */
  unit: 1 | 2;
  /** How often the value is evaluated for one answer: each time adds the delay. */
  times: number;
};

const firstSeconds = 2;
/** Turns of a calculation that take a quick server a second, and a slow one five. */
const firstTurns = 5_000_000;
/** A calculation that takes less ends too soon for its time to be measured. */
const leastPaceMs = 300;
const mostTurns = 100_000_000;
const maxRounds = 4;
/** An answer that is later by this much is worth a measurement. */
const worthMs = 1_500;
/** Longer delays stand out from more noise, and take longer. */
const quietMs = 80;
/** A page that takes this long by itself leaves no time for a delay within the time limit of a request. */
const slowestMs = 3_000;
/** An answer that took longer by itself is asked for once more. */
const promptMs = 250;
const mostTimes = 3;
/** Answers that grow by less with each second do not wait. */
const waitingSlope = 0.5;
const usualTolerance = 0.25;
const mostNoiseMs = (unit: number): number => 400 * unit;

/**
 * The first of these values whose delay the answers follow. One request each looks for it; what comes late is measured alone.
 * Pages that are too slow, or whose own noise is too large, are reported as not decided.
 * @throws ProbeError
 */
export async function delayedBy(
  context: CheckContext,
  input: OpenedInput,
  delayings: readonly Delaying[],
): Promise<Delayed | undefined> {
  const ask = askerOf(context, input);
  const elapsed = async (value: string): Promise<number> => (await ask(value, true)).elapsedMs;
  // Other checks have asked for it; an answer that took long then may have been the first of all.
  let { elapsedMs: usualMs } = await ask(input.sample);
  if (usualMs > promptMs) usualMs = await elapsed(input.sample);
  if (usualMs > slowestMs) return undecided(context, input, 'takes too long by itself');
  let noisy = false;
  for (const given of delayings) {
    const delaying = await pacedAt(context, elapsed, given, usualMs);
    if (!delaying) continue;
    const firstMs = await context.quiet.beside(() => elapsed(delaying.value(String(firstSeconds)))).catch(lateOrThrow);
    // A calculation may meanwhile be quicker than when its pace was taken.
    if (firstMs < usualMs + worthMs * (1 - (delaying.tolerance ?? 0))) continue;
    const measureAlone = (which: Delaying) =>
      context.quiet.alone(() => measure(elapsed, which, usualMs + worthMs)).catch(noisyOrThrow);
    let [followed, measured] = [delaying, await measureAlone(delaying)];
    // What disturbed it may have passed; a calculation is then quicker, or slower, than when its pace was taken.
    if ('isNoisy' in measured) {
      followed = (await pacedAt(context, elapsed, given, usualMs)) ?? delaying;
      measured = await measureAlone(followed);
    }
    if ('stillMs' in measured) usualMs = Math.max(usualMs, measured.stillMs);
    else if ('isNoisy' in measured) noisy = true;
    else return { delaying: followed, ...measured };
  }
  return noisy ? undecided(context, input, 'takes longer with such a value, and not as long as that says') : undefined;
}

/**
 * Whether an answer comes late with one of these values, each of which waits in many kinds of places at once: where none does, those need
 * not be tried one by one. A page that is slow by itself does not tell, and neither does one that refuses such a value: others have
 * fewer signs. One request for each value.
 * @throws ProbeError
 */
export async function mayDelay(
  context: CheckContext,
  input: OpenedInput,
  delayings: readonly Delaying[],
): Promise<boolean> {
  for (const { value } of delayings) {
    const { isLate, isRefused } = await timed(context, input, value(String(firstSeconds)), worthMs);
    if (isLate || isRefused) return true;
  }
  return false;
}

/**
 * The same of a text that calculates in many languages at once, with so many turns as take a quick server a second.
 * @throws ProbeError
 */
export const mayCalculate = async (
  context: CheckContext,
  input: OpenedInput,
  write: (turns: number) => string,
): Promise<boolean> => (await timed(context, input, write(firstTurns), leastPaceMs)).isLate;

async function timed(context: CheckContext, input: OpenedInput, sent: string, byMs: number) {
  const ask = askerOf(context, input);
  const usual = await ask(input.sample);
  let status = 0;
  const late = async (): Promise<number> => {
    const answer = await ask(sent, true);
    status = answer.status;
    return answer.elapsedMs;
  };
  const elapsedMs = await context.quiet.beside(late).catch(lateOrThrow);
  return {
    isLate: elapsedMs >= Math.min(usual.elapsedMs, promptMs) + byMs,
    isRefused: usual.status < 400 && (status === 400 || status === 422),
  };
}

/** A calculation that takes this server as many seconds as the value asks for; undefined where it is none. */
async function pacedAt(
  { quiet }: CheckContext,
  elapsed: (value: string) => Promise<number>,
  delaying: Delaying,
  usualMs: number,
): Promise<Delaying | undefined> {
  if (!delaying.paced) return delaying;
  const { paced } = delaying;
  const lateMs = async (turns: number) => (await elapsed(paced(turns).value('1')).catch(lateOrThrow)) - usualMs;
  if ((await quiet.beside(() => lateMs(firstTurns))) < leastPaceMs) return undefined;
  let turns = firstTurns;
  let tookMs = 0;
  // A server that compiles as it runs is several times quicker after the first turns.
  for (let round = 0; round < maxRounds && !isSecond(tookMs); round += 1) {
    tookMs = await quiet.alone(() => lateMs(turns));
    const next =
      tookMs < leastPaceMs ? 4 * turns : Math.round(Number.isFinite(tookMs) ? (turns * 1_000) / tookMs : turns / 8);
    if (next < 1 || next > mostTurns) return undefined;
    turns = next;
  }
  return tookMs >= leastPaceMs && Number.isFinite(tookMs) ? paced(turns) : undefined;
}

const isSecond = (ms: number): boolean => Math.abs(ms - 1_000) <= 200;

/** No answer within the time limit may be one that waits several times. */
function lateOrThrow(error: unknown): number {
  if (error instanceof ProbeError && error.code === 'timeout') return Number.POSITIVE_INFINITY;
  return unlessBroken(error) ?? 0;
}

/** So late an answer is neither what the delay says nor what the page takes by itself. */
function noisyOrThrow(error: unknown): Measured {
  if (error instanceof ProbeError && error.code === 'timeout') return { isNoisy: true };
  throw error;
}

function undecided({ leave }: CheckContext, { url, parameter }: OpenedInput, why: string): undefined {
  const text = `whether ${parameter} of ${url} can delay the answer was not decided: the page ${why}`;
  leave({ code: 'unclear', count: 1, text });
  return undefined;
}

type Measured = { unit: Delayed['unit']; times: number } | { isNoisy: true } | { stillMs: number };

/** @returns the least that answers take with such a value when they do not follow the delay */
async function measure(
  elapsed: (value: string) => Promise<number>,
  { value, tolerance = usualTolerance }: Delaying,
  lateMs: number,
): Promise<Measured> {
  const still = [await elapsed(value('0')), await elapsed(value('0'))];
  const stillMs = Math.min(...still);
  if (stillMs > lateMs) return { stillMs };
  if (Math.max(...still) > lateMs) return { isNoisy: true };
  const points = still.map((ms) => pointOf(0, ms));
  for (const seconds of shuffled([1, 2])) points.push(pointOf(seconds, await elapsed(value(String(seconds)))));
  const { slope, noiseMs } = fittedLine(points.join(',')) ?? { slope: 0, noiseMs: 0 };
  const times = Math.round(slope);
  const isOfDelay = times >= 1 && times <= mostTimes && Math.abs(slope - times) <= times * tolerance;
  const isQuiet = noiseMs < quietMs;
  if (noiseMs > mostNoiseMs(2) || (isOfDelay && !isQuiet && times > 1)) return { isNoisy: true };
  if (isOfDelay) return { unit: isQuiet ? 1 : 2, times };
  // Something waits, though not for as long as the value says: a busy machine may have been in the way.
  return slope >= waitingSlope ? { isNoisy: true } : { stillMs };
}

const pointOf = (seconds: number, ms: number): string => `${seconds}=${Math.round(ms)}`;

/**
 * The answer follows the delay: four requests with delays in random order lie on one line whose slope is the number of times that
 * the value is evaluated. With the name of the function misspelt, a delay delays nothing.
 */
export function delayExperiment(input: OpenedInput, { delaying, unit, times }: Delayed): Experiment {
  const { tolerance = usualTolerance } = delaying;
  const prefix = unit === 1 ? 'delay' : 'longdelay';
  const step = (value: string, note: string, more: Pick<Step, 'expect' | 'isShown'>, name: string): Step[] =>
    inputSteps(input, inputAction(input, value), { note, ...more, capture: [elapsedAs(name)] });
  const points = [1, 2, 3, 4].map((n) => `‹${prefix}${n}›=‹elapsed${n}›`).join(',');
  const follows = [
    claim(`timing:slope:${points}`, 'greater-than', String(times * (1 - tolerance))),
    claim(`timing:slope:${points}`, 'less-than', String(times * (1 + tolerance))),
    claim(`timing:noise:${points}`, 'less-than', String(mostNoiseMs(unit) * times)),
  ];
  const waits = 'The answer comes as much later as the value says.';
  const still = 'With the name misspelt there is nothing to wait for.';
  return {
    steps: [1, 2, 3, 4].flatMap((n) =>
      step(delaying.value(`‹${prefix}${n}›`), waits, { expect: n === 4 ? follows : [], isShown: true }, `elapsed${n}`),
    ),
    control: [
      ...step(delaying.broken('0'), still, { expect: [] }, 'elapsed5'),
      ...step(
        delaying.broken(String(2 * unit)),
        still,
        { expect: [claim(`timing:slope:0=‹elapsed5›,${2 * unit}=‹elapsed6›`, 'greater-than', '0.5')] },
        'elapsed6',
      ),
    ],
  };
}

const elapsedAs = (name: string): CaptureRule => ({ name, subject: 'timing:elapsed', pattern: '^\\d+$' });
