import { setTimeout as sleep } from 'node:timers/promises';
import type { RefusalCode, Verdict } from '../model/gate.ts';
import type { Exchange } from '../model/http.ts';
import { ProbeError } from '../model/probe-error.ts';
import type { FormSurface, Surface } from '../model/surface.ts';
import { formKey, shapeOfRequest } from '../probe/gate/form-key.ts';
import { pagesAround } from '../survey/pages-around.ts';
import type { CarriedQueries } from './carried-queries.ts';
import { createListening, type Listening } from './listening.ts';
import type { Lookalikes } from './lookalikes.ts';
import { type MakingPage, observeMakingPages } from './making-pages.ts';
import { isKept, type ObservedSubmission, observe, ofNobody } from './observe.ts';
import { type ObservedControl, observedControls } from './observed-controls.ts';
import { createPageWatch, type PageWatch } from './page-watch.ts';
import type { LeftAlone, Neutral, Submission } from './submission.ts';

/** How a form is tried, or why it is not: `trusted` ones look up or calculate by structure, `unknown` ones are recorded first. */
export type FormJudgement = { as: 'trusted' | 'unknown' } | { refused: RefusalCode };

/** What an observation of all forms of a visitor works with. */
type ObserveAll = {
  surface: Surface;
  /** A verdict of this run on what has this key. */
  known(submission: Submission): Verdict | undefined;
  judge(form: FormSurface): FormJudgement;
  /** What the gate says of a submission as it is about to be sent; undefined when it lets it pass. */
  refusal(submission: Submission, isTrusted: boolean): RefusalCode | undefined;
  /** A page as others are shown it, or this visitor; undefined when it gives no answer. */
  get(url: string): Promise<Exchange | undefined>;
  /** The page of a form, in the session in which it is sent then. */
  open(url: string): Promise<Exchange | undefined>;
  send(submission: Submission, isTrusted: boolean): Promise<Exchange | undefined>;
  /** Called before an unknown form is sent, and again once it is known what became of it. */
  record(submission: Submission, result?: ObservedSubmission): Promise<void>;
  neutral(): Neutral;
  /** Called with the pages that make something as soon as they are opened, before a form is tried. */
  found(making: readonly string[]): void;
  /** Whether the audit has written one of these texts: the entry that has it is its own. */
  hasWritten(texts: readonly string[]): boolean;
  /** Forms that show entries of others are sent, too, where the audit has made no entry like them. */
  changesOthers: boolean;
  /** Whose pages may be others than those that everybody is shown. */
  hasSession: boolean;
  /** Entries may stay: forms that no neutral value fits into are sent with their own values, and lookalikes are tried, too. */
  sendsOwnValues: boolean;
  lookalikes: Lookalikes;
  /** What forms carry along on other pages of the visitor. */
  carried: CarriedQueries;
  signal: AbortSignal;
};

export type ObservedAll = {
  observed: ObservedSubmission[];
  making: MakingPage[];
  /** Forms that were not sent, by why. */
  left: Map<string, number>;
  /** Pages around forms that were not seen to write, which were not read because a limit was reached. */
  unread: number;
};

/** Forms of one visitor that are tried; most sites have few that differ in their fields. */
const maxForms = 200;
/** Forms that differ in their place or command alone, on a test system. */
const maxVariants = 4;
const variantOf = (key: string, count: number): string => `${count} of ${key}`;
/** What is stored behind a queue shows a little later. */
const settleMs = 1_500;

/** Observes forms and requests of scripts, one after the other: the effects of two at once could not be distinguished. */
export async function observeAll(given: ObserveAll): Promise<ObservedAll> {
  const watch = createPageWatch(given.get);
  const listening = createListening((submission, isTrusted) => {
    watch.sending();
    return given.send(submission, isTrusted);
  });
  const tools: Observing = { ...given, ...listening };
  const observed: ObservedSubmission[] = [];
  const left = new Map<string, number>();
  const leave = (why: string) => left.set(why, (left.get(why) ?? 0) + 1);
  const done = new Set<string>();
  let isSpent = false;
  const pages =
    tools.hasSession && !tools.changesOthers
      ? await unlessSpent(() => observeMakingPages(tools.surface, { watch, ...tools }))
      : undefined;
  if (pages === 'budget') isSpent = true;
  const { writing: making, left: unopened } = typeof pages === 'object' ? pages : { writing: [], left: 0 };
  if (unopened > 0) left.set('too-many', unopened);
  tools.found(making.map(({ key }) => key));
  for (const control of observedControls(tools)) {
    tools.signal.throwIfAborted();
    const judged = tools.judge(control.form);
    if ('refused' in judged) leave(judged.refused);
    else if (isSpent) leave('budget');
    else if (observed.length >= maxForms) leave('too-many');
    else {
      const outcome = await unlessSpent(() => observeOne(tools, watch, control, judged.as === 'trusted', done));
      isSpent = outcome === 'budget';
      if (typeof outcome === 'string') leave(outcome);
      else if (outcome) observed.push(ofNobody(control.form, outcome));
    }
  }
  const isLookedLater = !isSpent && (await unlessSpent(() => lookLater(tools, watch, observed))) !== 'budget';
  // What a queue stores shows later only: without that look, nothing is known to read.
  if (!isLookedLater)
    for (const each of observed) if (each.verdict === 'reads') Object.assign(each, { verdict: 'unknown' });
  const unread = observed
    .filter(({ verdict }) => verdict !== 'writes')
    .reduce((sum, { submission }) => sum + pagesAround(tools.surface, submission).left, 0);
  return { observed, making, left, unread };
}

type Observing = ObserveAll & Pick<Listening, 'isHeard'>;

/** @returns why it was left alone, or undefined when it is done already, or needs none */
async function observeOne(
  tools: Observing,
  watch: PageWatch,
  { form, make, keys }: ObservedControl,
  isTrusted: boolean,
  done: Set<string>,
): Promise<ObservedSubmission | LeftAlone | RefusalCode | undefined> {
  const { neutral, carried } = tools;
  // Of forms that differ in their place or command alone, one is tried, and a few where entries may stay.
  const isTried = ({ key }: Pick<Submission, 'key'>): boolean =>
    done.has(tools.sendsOwnValues ? variantOf(key, maxVariants) : key);
  const noteTried = ({ key }: Submission) => {
    let count = 1;
    while (done.has(variantOf(key, count))) count += 1;
    done.add(key).add(variantOf(key, count));
  };
  // Its page need not be opened for that.
  if (keys && done.has(keys.exact)) return undefined;
  if (keys && isTried(keys)) return 'not-observed';
  const submission = await make(neutral());
  if (typeof submission === 'string') return isTrusted ? undefined : submission;
  if (done.has(submission.exact) || tools.known(submission) !== undefined) return undefined;
  if (isTried(submission)) return 'not-observed';
  // The browser saw a form once with each of its buttons, which are not pressed: what is sent is the same.
  const sent = formKey(shapeOfRequest(submission));
  if (sent !== submission.key && done.has(sent)) return 'not-observed';
  const leaves = !isTrusted && !tools.sendsOwnValues;
  if (leaves && tools.lookalikes.has(submission)) return 'not-observed';
  if (!isTrusted && carried.isOneMore(form)) return 'not-observed';
  noteTried(submission);
  done.add(submission.exact).add(sent);
  const refused = tools.refusal(submission, isTrusted);
  if (refused !== undefined) return refused;
  const first = await sendOnce(tools, watch, submission, isTrusted);
  if (leaves && first.verdict !== 'reads' && !first.isPutBack) tools.lookalikes.note(submission);
  if (!first.isRefused || first.verdict !== 'unknown') return first;
  // What works with numbers alone refuses a word.
  const { number } = neutral();
  const numeric = await make({ word: number, number });
  return typeof numeric === 'string' ? first : sendOnce(tools, watch, numeric, isTrusted);
}

async function sendOnce(
  tools: Observing,
  watch: PageWatch,
  submission: Submission,
  isTrusted: boolean,
): Promise<ObservedSubmission> {
  if (!isTrusted) await tools.record(submission);
  const send = async (each: Submission) => {
    const page = each.renewed ? await tools.open(each.pageUrl) : undefined;
    return tools.send((page && each.renewed?.(page)) ?? each, isTrusted);
  };
  const { pages } = pagesAround(tools.surface, submission);
  const result = await putBack(
    tools,
    await observe({ watch, send, isHeard: tools.isHeard }, submission, pages, isTrusted),
  );
  if (!isTrusted || result.verdict === 'writes') await tools.record(submission, result);
  return result;
}

/** A form that shows its own entries, as a profile or settings do, is sent once more as it had been. */
async function putBack(tools: ObserveAll, result: ObservedSubmission): Promise<ObservedSubmission> {
  const { pageUrl, words, putBack } = result.submission;
  if (result.verdict === 'reads' || words.length === 0 || !putBack || !tools.hasSession) return result;
  const shownBy = async () => putBack((await tools.open(pageUrl))?.text ?? '');
  const request = await shownBy();
  if (typeof request === 'string') return result;
  await tools.send(request, false);
  return (await shownBy()) === 'empty'
    ? { ...result, verdict: 'writes', isPutBack: true }
    : { ...result, verdict: 'writes' };
}

async function unlessSpent<T>(work: () => Promise<T>): Promise<T | 'budget'> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProbeError && error.code === 'budget_exhausted') return 'budget';
    throw error;
  }
}

/** Looks once more for everything that was sent, on all pages that are around it. */
async function lookLater(tools: ObserveAll, watch: PageWatch, observed: ObservedSubmission[]): Promise<void> {
  const open = observed.filter(({ verdict }) => verdict !== 'writes');
  if (open.length === 0) return;
  await sleep(settleMs, undefined, { signal: tools.signal });
  const pages = new Set(open.flatMap(({ submission }) => pagesAround(tools.surface, submission).pages));
  for (const url of pages) {
    const reading = await watch.read(url);
    if (!reading) continue;
    for (const each of open) {
      if (each.verdict === 'writes' || !(await isKept(watch, reading, each.submission))) continue;
      Object.assign(each, await putBack(tools, { ...each, verdict: 'writes', place: url }));
      await tools.record(each.submission, each);
    }
  }
}
