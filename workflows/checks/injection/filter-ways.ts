import { attributeOf, isElement, nodesOf } from '../../probe/html/tree.ts';
import { fill, newTrialValues, type TrialValues } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import type { Reflection } from '../dom/reflection.ts';
import { framesFor, type ScriptFrame } from '../dom/script-frames.ts';
import { endOf, type Payload } from '../dom/xss-payloads.ts';
import { hasActiveCall, hasActiveWord } from './active-content.ts';
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
type Encode = (value: string) => string;

/** Values in which a filter sees no angle brackets or quotes, and of which an application makes them afterwards. */
const encodings: readonly Encode[] = [
  (value) => inSigns(value, (code) => `%${hex(code, 2)}`),
  (value) => inSigns(value, (code) => `%25${hex(code, 2)}`),
  (value) => inSigns(value, (code) => `&#${code};`),
  (value) => inSigns(value, (code) => `\\u${hex(code, 4)}`),
  // the full-width forms, of which Unicode's compatibility normalisation makes the usual ones
  (value) => inSigns(value, (code) => String.fromCodePoint(code + 0xfee0)),
];

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');
const inSigns = (value: string, encoded: (code: number) => string): string =>
  value.replace(/[<>"']/g, (sign) => encoded(sign.codePointAt(0) ?? 0));

/**
 * Values that run script past a filter, found by asking it: which frames come back around a harmless word, many in one request where
 * it lets several through, and then which code comes back in those.
 * @param onLeft told how many frames could not be asked for
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

/** Frames for the place; those with markup only where some markup comes back, in the encoding that it takes. */
async function possible(search: Search, reflection: Reflection): Promise<ScriptFrame[]> {
  const frames = framesFor(reflection).filter((frame) => isMarkup(frame) || search.survives(frame.around('x')));
  const end = endOf(reflection);
  if (end === undefined) return frames;
  const encode = await encodingOfTags(search, end);
  if (encode) return frames.map((frame) => (isMarkup(frame) ? encoded(frame, encode) : frame));
  return frames.filter((frame) => !isMarkup(frame) || (frame.isOpen && search.survives('<')));
}

const encoded = (frame: ScriptFrame, encode: Encode): ScriptFrame => ({
  ...frame,
  around: (code) => encode(frame.around(code)),
});

/** How tags have to be written to come back as such. */
async function encodingOfTags(search: Search, end: string): Promise<Encode | undefined> {
  const tags = ['b', 'svg', 'img', 'a', 'p', 'x-a', 'select'].map(
    (tag, index) => `${end}<${tag} data-x=‹nonce${index + 1}›>`,
  );
  if (search.survives('<') && (await somePasses(search, tags))) return (value) => value;
  const [first = -1] = await elementsAt(
    search,
    encodings.map((encode, index) => encode(`${end}<b data-x=‹nonce${index + 1}›>`)),
  );
  return encodings[first];
}

/** All in one where the filter takes out what it does not like, one by one where it refuses the whole. */
async function somePasses(search: Search, values: readonly string[]): Promise<boolean> {
  if ((await elementsAt(search, values)).length > 0) return true;
  for (const value of values) if ((await elementsAt(search, [value])).length > 0) return true;
  return false;
}

/** Sends the values in one. @returns the places of those that became elements */
async function elementsAt(search: Search, values: readonly string[]): Promise<number[]> {
  if (!spend(search)) return [];
  const trial = newTrialValues(search.context.nonce);
  const text = await search.ask(values.join(''), trial);
  const nonces = [...nodesOf(text)].map((node) =>
    isElement(node) ? attributeOf(node, 'data-x')?.toLowerCase() : undefined,
  );
  const names = values.map((value) => /‹nonce\d+›/.exec(value)?.[0] ?? '');
  return [...values.keys()].filter((index) => nonces.includes(fill(names[index] ?? '', trial)));
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
  for (const code of calls.toSorted((a, b) => Number(isKnown(b)) - Number(isKnown(a)))) {
    if (!spend(search)) return undefined;
    const values = newTrialValues(search.context.nonce);
    const value = around(code);
    const text = await search.ask(value, values);
    if (!hasActiveCall(text, fill('‹nonce›', values))) continue;
    search.passed.add(code);
    return { value, ...(clicks ? { clicks } : {}) };
  }
  return undefined;
}
