import { claim, type Experiment } from '../../model/experiment.ts';
import { isBorrowed } from '../../model/gained-name.ts';
import type { Exchange } from '../../model/http.ts';
import type { InputSurface } from '../../model/surface.ts';
import { jointOf } from '../../probe/html/page-joint.ts';
import { clearest, piecesOf } from '../../probe/html/page-pieces.ts';
import type { CheckContext } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { unknownWord } from './answer-words.ts';
import type { Comparison } from './sql-comparisons.ts';
import { type Ask, type DecisionNotes, decisionExperiment, type WriteAction } from './sql-decision.ts';
import { isKnown } from './unparsable.ts';

/** A page that a comparison decides. */
export type DecidedPage = {
  value: string;
  comparison: Comparison;
  status: number;
  /** What the page shows when the comparison is true, and lacks when it is false. */
  markers: string[];
};

const maxMarkers = 3;

/** Fields in which somebody is looked for, perhaps by the whole name alone. */
const ofPeople = /user|login|name|account|member|person|who/i;

/**
 * Texts that most lists have something for, where the site gives no value itself; none, which lists that search in texts show all for.
 * Where people are looked for, a name that the site has: that of a test identity.
 */
export function startValues(
  { sample, parameter }: InputSurface,
  { identities }: Pick<CheckContext, 'identities'>,
): string[] {
  if (isKnown({ sample })) return [sample];
  const own = Object.values(identities).find(({ name, userName }) => userName !== undefined && !isBorrowed(name));
  return [...(own?.userName !== undefined && ofPeople.test(parameter) ? [own.userName] : []), 'a', '1', ''];
}

/**
 * The first of the comparisons behind a value that decides what the page shows, for the first value that the page depends on.
 * @param grows the page goes on showing what it was sent before
 * @throws ProbeError
 */
export async function decidedPage(
  ask: Ask,
  values: readonly string[],
  comparisonsFor: (value: string) => Comparison[],
  grows = false,
): Promise<DecidedPage | undefined> {
  const untried = [...values];
  let hasListed = false;
  for (let value = untried.shift(); value !== undefined; value = untried.shift()) {
    const base = await ask(value);
    const shown = base.status < 400 ? await dependingOn(ask, value, base) : [];
    if (shown.length === 0) continue;
    const pieces = grows ? absentIn(await ask(unknownFor(value), true), shown) : shown;
    if (pieces.length === 0) return undefined;
    if (value === '' && !hasListed) {
      hasListed = true;
      untried.push(...listedTexts(pieces), '');
      continue;
    }
    for (const comparison of comparisonsFor(value)) {
      const markers = await decidedBy(ask, comparison, { status: base.status, pieces });
      if (markers.length > 0) return { value, comparison, status: base.status, markers: clearest(markers, maxMarkers) };
    }
    return undefined;
  }
  return undefined;
}

/** Some lists know a whole text only, others every part of one. */
const maxListed = 3;

/** Texts in what a list shows when it is asked for nothing: values that it has something for, words before whole texts. */
function listedTexts(pieces: readonly string[]): string[] {
  const texts = pieces.flatMap((piece) => {
    const [, member] = /^"[^"]*"\s*:\s*"([^"\\]{3,60})"$/.exec(piece) ?? [];
    return member ?? (/[="/\\]/.test(piece) ? [] : piece);
  });
  const words = texts.flatMap((text) => text.match(/\p{L}{3,}/gu)?.[0] ?? []);
  return [...new Set([...words.slice(0, maxListed), ...texts.slice(0, maxListed)])];
}

/** Nothing has it. A large number would be worse: some pages make as many items as the number says. */
const unknownNumber = '-7250913';

const unknownFor = (value: string): string => (/^\d+$/.test(value) ? unknownNumber : unknownWord);

/** Pieces of a page that it has because of the value: always with it, and not with one that fits nothing. */
async function dependingOn(ask: Ask, value: string, base: Exchange): Promise<string[]> {
  const unknown = unknownFor(value);
  const other = await ask(unknown);
  // A page that only repeats the value has the same pieces with the other one.
  const echoes = new Set(piecesOf(other.text.replaceAll(unknown, value)));
  const own = piecesOf(base.text).filter((piece) => !other.text.includes(piece) && !echoes.has(piece));
  const joint = own.length === 0 ? jointOf(base.text, other.text) : undefined;
  if (joint !== undefined && !joint.includes(value)) own.push(joint);
  return own.length === 0 ? own : presentIn(await ask(value, true), own);
}

const presentIn = ({ text }: Exchange, pieces: readonly string[]) => pieces.filter((piece) => text.includes(piece));
const absentIn = ({ text }: Exchange, pieces: readonly string[]) => pieces.filter((piece) => !text.includes(piece));

/**
 * The same of a page that shows an error and nothing else of a statement: what it shows with the value and not with an error is decided
 * by comparisons of which a false one fails when it is evaluated.
 * @param broken values that end what the value stands in, with the comparisons behind each
 * @throws ProbeError
 */
export async function pageDecidedByErrors(
  ask: Ask,
  value: string,
  broken: readonly { value: string; comparisons: readonly Comparison[] }[],
): Promise<DecidedPage | undefined> {
  const base = await ask(value);
  if (base.status >= 400) return undefined;
  for (const { value: sent, comparisons } of broken) {
    const failed = await ask(sent);
    const pieces = absentIn(failed, piecesOf(base.text)).filter((piece) => !piece.includes(value));
    if (pieces.length === 0) continue;
    for (const comparison of comparisons) {
      const markers = await decidedBy(ask, comparison, { status: base.status, pieces });
      if (markers.length > 0) return { value, comparison, status: base.status, markers: clearest(markers, maxMarkers) };
    }
  }
  return undefined;
}

/**
 * The same of a page that shows one thing whatever the value is, as a query does that finds something by another condition, too: a true
 * comparison behind a value that fits nothing adds something to it, and a false one does not.
 * @throws ProbeError
 */
export async function pageAddedTo(
  ask: Ask,
  comparisonsFor: (value: string) => Comparison[],
): Promise<DecidedPage | undefined> {
  const base = await ask(unknownWord);
  if (base.status >= 400) return undefined;
  for (const comparison of comparisonsFor(unknownWord)) {
    const widened = await ask(comparison.whenTrue('‹int›'));
    if (widened.status !== base.status) continue;
    const pieces = piecesOf(widened.text).filter((piece) => !base.text.includes(piece));
    const markers = pieces.length === 0 ? [] : await decidedBy(ask, comparison, { status: base.status, pieces });
    // What stands for the value is the comparison itself: with no value of its own the page shows what is added.
    if (markers.length > 0)
      return {
        ...{ value: comparison.whenTrue('‹int6›'), comparison, status: base.status },
        markers: clearest(markers, maxMarkers),
      };
  }
  return undefined;
}

/** Pieces that a true comparison keeps and a false one takes away, each time. Empty as soon as nothing is left of them. */
async function decidedBy(
  ask: Ask,
  { whenTrue, whenFalse }: Comparison,
  base: { status: number; pieces: readonly string[] },
): Promise<string[]> {
  // Most values are compared as a whole, and even a true comparison finds nothing.
  const first = await ask(whenTrue('‹int›'));
  const kept = first.status === base.status ? presentIn(first, base.pieces) : [];
  if (kept.length === 0) return [];
  const decided = absentIn(await ask(whenFalse('‹int›')), kept);
  if (decided.length === 0) return [];
  // A page that shows something else each time loses some of what was there.
  const second = await ask(whenTrue('‹int›'), true);
  if (presentIn(second, kept).length < kept.length) return [];
  return absentIn(await ask(whenFalse('‹int›'), true), decided);
}

/** @param options.language of the comparison, for the reader */
export const pageExperiment = (
  input: OpenedInput,
  { markers, ...decided }: DecidedPage,
  { language, write, ...notes }: { language: string; write?: WriteAction } & Partial<DecisionNotes>,
): Experiment =>
  decisionExperiment({
    ...decided,
    ...(write && { write }),
    input,
    whenTrue: markers.map((marker) => claim('body', 'contains', marker)),
    whenFalse: markers.map((marker) => claim('body', 'not-contains', marker)),
    notes: {
      usual: "With the site's own value the page shows what this value stands for.",
      whenTrue: 'With a true comparison behind the value, the page shows it.',
      whenFalse: 'With a false comparison of the same words, the page lacks it.',
      broken: `With a misspelt keyword it is no ${language}, and the page does not show it.`,
      ...notes,
    },
  });
