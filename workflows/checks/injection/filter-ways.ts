import { fill, newTrialValues, type TrialValues } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import type { Reflection } from '../dom/reflection.ts';
import { elementFrames, framesFor, type ScriptFrame } from '../dom/script-frames.ts';
import { endOf, type Payload } from '../dom/xss-payloads.ts';
import { hasActiveCall, hasActiveWord } from './active-content.ts';
import { plainTags, spacedLike, tagsIn, type Write, wayQuestion } from './markup-ways.ts';
import type { Survivors } from './survivors.ts';

/** Sends a value and gives the page that shows it; an empty text where none does. */
export type AskFilter = (value: string, values: TrialValues) => Promise<string>;

type Search = {
  context: Pick<CheckContext, 'nonce'>;
  ask: AskFilter;
  survives: Survivors;
  /** Calls that came back. */
  passed: Set<string>;
  requestsLeft: number;
};

const maxRequests = 120;
const framesAtOnce = 10;
/**
 * Values that run script past a filter, found by asking it: which frames come back around a harmless word, many in one request where
 * it lets several through, and then which code comes back in those.
 * @param onLeft given the number of frames that could not be requested
 */
export async function* waysPast(
  { context, ask, survives }: Omit<Search, 'requestsLeft' | 'passed'>,
  reflections: readonly Reflection[],
  onLeft: (count: number) => void,
): AsyncGenerator<Payload> {
  const search: Search = { context, ask, survives, passed: new Set(), requestsLeft: maxRequests };
  const tried = new Set<string>();
  let unasked = 0;
  for (const reflection of reflections) {
    for (const group of groupsOf(await possible(search, reflection))) {
      const { frames, left } = await standing(search, group);
      unasked += left;
      for (const frame of frames) {
        // What did not run is not spelled in another way.
        if (tried.has(spelled(frame))) continue;
        const payload = await withCall(search, frame);
        if (!payload) continue;
        tried.add(spelled(frame));
        yield payload;
      }
    }
  }
  if (unasked > 0) onLeft(unasked);
}

const spelled = ({ around }: ScriptFrame): string => around('x').toLowerCase().replace(/[\s/]/g, '');

const isMarkup = ({ around }: ScriptFrame): boolean => around('x').includes('<');

/** Frames for the place; those with markup only where some markup comes back, in the way that it takes. */
async function possible(search: Search, reflection: Reflection): Promise<ScriptFrame[]> {
  const frames = framesFor(reflection).filter((frame) => isMarkup(frame) || search.survives(frame.around('x')));
  const end = endOf(reflection);
  if (end === undefined) return frames;
  const isBracketKept = search.survives('<');
  const passing = isBracketKept ? await firstPassing(search, plainTags(end)) : undefined;
  if (passing !== undefined) return writtenBy([...framesOf(passing, end), ...frames], spacedLike(passing));
  // Renderers encode a bracket that begins no tag, and leave tags.
  const question = wayQuestion(reflection, isBracketKept);
  const { text, values } = await askOnce(search, question.value);
  const { write, frames: linked } = question.answer(text, values);
  const usable = linked.filter((frame) => search.survives(frame.around('').replace(/[[\](){}\\]/g, '')));
  if (write) return [...writtenBy(frames, write), ...usable];
  return [...usable, ...frames.filter((frame) => !isMarkup(frame) || (frame.isOpen && isBracketKept))];
}

/** The element that is known to come back goes first: a filter that lists elements refuses most others. */
const framesOf = (tag: string, end: string): ScriptFrame[] => {
  const [, name] = /^<([\w-]+)/.exec(tag.slice(end.length)) ?? [];
  return name === undefined
    ? []
    : elementFrames(name).map((frame) => ({ ...frame, around: (code) => end + frame.around(code) }));
};

const writtenBy = (frames: readonly ScriptFrame[], write: Write): ScriptFrame[] =>
  frames.map((frame) => (isMarkup(frame) ? { ...frame, around: (code) => write(frame.around(code)) } : frame));

/** All in one where the filter removes parts, one by one where it refuses the whole value. */
async function firstPassing(search: Search, tags: readonly string[]): Promise<string | undefined> {
  const passing = async (sent: readonly string[]) => {
    const { text, values } = await askOnce(search, sent.join(''));
    const [first = -1] = tagsIn(text, sent, values);
    return sent[first];
  };
  const together = await passing(tags);
  if (together !== undefined) return together;
  for (const tag of tags) {
    const alone = await passing([tag]);
    if (alone !== undefined) return alone;
  }
  return undefined;
}

/** An empty text once all requests are used up. */
async function askOnce(search: Search, value: string): Promise<{ text: string; values: TrialValues }> {
  const values = newTrialValues(search.context.nonce);
  return { text: spend(search) ? await search.ask(value, values) : '', values };
}

function spend(search: Pick<Search, 'requestsLeft'>): boolean {
  search.requestsLeft -= 1;
  return search.requestsLeft >= 0;
}

/** What takes in all that follows is asked for alone, and last. */
function groupsOf(frames: readonly ScriptFrame[]): ScriptFrame[][] {
  const together = frames.filter(({ isOpen }) => !isOpen);
  const starts = Array.from({ length: Math.ceil(together.length / framesAtOnce) }, (_, index) => index * framesAtOnce);
  const alone = frames.filter(({ isOpen }) => isOpen);
  return [...starts.map((at) => together.slice(at, at + framesAtOnce)), ...alone.map((frame) => [frame])];
}

/** Frames of a group that come back as they are, and how many could not be asked for. */
async function standing(
  search: Search,
  frames: readonly ScriptFrame[],
): Promise<{ frames: ScriptFrame[]; left: number }> {
  if (!spend(search)) return { frames: [], left: frames.length };
  const values = newTrialValues(search.context.nonce);
  const words = frames.map((_, index) => `‹nonce${index + 1}›`);
  const text = await search.ask(frames.map(({ around }, index) => around(words[index] ?? '')).join(''), values);
  const passed = frames.filter((_, index) => hasActiveWord(text, fill(words[index] ?? '', values)));
  if (passed.length > 0 || frames.length === 1) return { frames: passed, left: 0 };
  const middle = Math.ceil(frames.length / 2);
  const first = await standing(search, frames.slice(0, middle));
  const second = await standing(search, frames.slice(middle));
  return { frames: [...first.frames, ...second.frames], left: first.left + second.left };
}

/** The first call that comes back in a frame; those that came back in others go first. */
async function withCall(search: Search, { around, calls, clicks }: ScriptFrame): Promise<Payload | undefined> {
  const isKnown = (code: string) => search.passed.has(code);
  let isFirst = true;
  for (const code of calls.toSorted((a, b) => Number(isKnown(b)) - Number(isKnown(a)))) {
    if (!spend(search)) return undefined;
    const values = newTrialValues(search.context.nonce);
    const value = around(code);
    const text = await search.ask(value, values);
    if (hasActiveCall(text, fill('‹nonce›', values))) {
      search.passed.add(code);
      return { value, ...(clicks ? { clicks } : {}) };
    }
    if (isFirst && !(await standsAlone(search, around))) return undefined;
    isFirst = false;
  }
  return undefined;
}

/** Of several frames in one request, one that is left open (a script whose end is taken out) takes in those behind it. */
async function standsAlone(search: Search, around: ScriptFrame['around']): Promise<boolean> {
  const { text, values } = await askOnce(search, around('‹nonce›'));
  return hasActiveWord(text, fill('‹nonce›', values));
}
