import type { Exchange } from '../../model/http.ts';
import { ProbeError } from '../../model/probe-error.ts';
import type { InputSurface, Surface } from '../../model/surface.ts';
import { decodedText } from '../../probe/html/decoded-text.ts';
import { piecesOf } from '../../probe/html/page-pieces.ts';
import { newTrialValues } from '../../proof/template.ts';
import { mayBeFetched } from '../addresses/loopback-addresses.ts';
import type { CheckContext } from '../contract.ts';
import { isPathLike } from '../files/traversal-payloads.ts';
import { inputAction } from '../inputs/input-request.ts';
import { sendInput } from '../inputs/open-input.ts';
import { inParallel } from '../inputs/parallel.ts';
import { unknownWord } from './answer-words.ts';
import { withoutRandomValues } from './random-values.ts';
import { sharedParameters } from './shared-parameters.ts';
import { sqlErrorIn } from './sql-errors.ts';
import { givenValue, isKnown, odd } from './unparsable.ts';

type FirstLookContext = Pick<CheckContext, 'allowance' | 'http' | 'nonce' | 'visitor' | 'shownBefore' | 'writes'> & {
  surface: object & Partial<Pick<Surface, 'inputs'>>;
};

const width = 4;
/** A site with no more inputs is probed as a whole. */
export const fewInputs = 120;
/** A program with so many of a larger site's has many parts, which read what they are sent by the same means. */
const manyInputs = 12;
/** So many inputs of one name that a program answers alike stand for the others of that name. */
const enoughOfName = 2;
/** What answers an input alike, and how many of its inputs stand for the others. */
export type Alike = { name: string; enough: number };

const programFile = /^(?:\/[^/]+)*?\/[^/]+\.(?:php\d?|cgi|pl|aspx?|jspx?|cfm)(?=\/|$)/i;

/** By the surface, which all checks of an activity share: each input is asked once, whichever checks ask. */
const known = new WeakMap<object, Map<string, Promise<string | undefined>>>();

/**
 * Names inputs of a program with many parts ("index.php?title=…&action=…"), and parameters that many pages take together, by how the
 * site answers values with signs of languages: as an unknown word, as its own value, or each otherwise. What looks as if a language
 * reads it has no name, nor has what fails, nor an input of a smaller program, nor one of a test system: each is looked at by itself.
 * A parameter that makes no difference on any of the pages that share it is looked at once.
 * @param enough so many of one name stand for the others
 */
export async function handledAlike(
  context: FirstLookContext,
  inputs: readonly InputSurface[],
  enough: number,
): Promise<Map<InputSurface, Alike>> {
  const all = [context.surface, ...(context.shownBefore ?? [])].flatMap((surface) => surface.inputs ?? []);
  if (context.writes === 'create' || all.length <= fewInputs) return new Map();
  const sizes = Map.groupBy(all, ({ url }) => programOf(url));
  const isShared = sharedParameters(all);
  const isLarge = largePages(all);
  const partOf = (input: InputSurface): string | undefined => {
    const program = programOf(input.url);
    if (program !== undefined) return (sizes.get(program)?.length ?? 0) >= manyInputs ? program : undefined;
    if (isShared(input)) return input.parameter;
    return isLarge(input) && isKnown(input) ? pageOf(input) : undefined;
  };
  const ofParts = inputs.filter((input) => isPlain(input) && partOf(input) !== undefined);
  const names = new Map<InputSurface, Alike>();
  /** One name in the parts of one program, with values that look alike. */
  const kindOf = (input: InputSurface): string =>
    [partOf(input), input.in === 'query' ? input.parameter : '', looksLike(input)].join(' ');
  await inParallel([...Map.groupBy(ofParts, kindOf)], width, async ([, members]) => {
    const asked: (string | undefined)[] = [];
    for (const input of members) {
      const isClear = asked.length >= enoughOfName && new Set(asked).size === 1;
      const answers = isClear ? asked[0] : await answersTo(context, input);
      if (!isClear) asked.push(answers);
      if (answers === undefined) continue;
      const use = isData(answers) ? usedAs(input) : looksLike(input);
      // What a page reads, it reads by its own means.
      if (partOf(input) === pageOf(input) && answers !== unread) continue;
      const isNowhereRead = answers === unread && isShared(input) && programOf(input.url) === undefined;
      const part = isNowhereRead ? withoutKeys(input.parameter) : partOf(input);
      const isAlone = isNowhereRead && part === input.parameter;
      names.set(input, { name: `${part} ${use} ${answers}`, enough: isAlone ? 1 : enough });
    }
  });
  return names;
}

const unread = 'unread';

const pageOf = ({ url }: InputSurface): string => url.replace(/[?#].*$/s, '');

/** Pages that take as many parameters as a program with many parts: a search with its filters. */
function largePages(all: readonly InputSurface[]): (input: InputSurface) => boolean {
  const taken = Map.groupBy(
    all.filter(({ method, in: place }) => method === 'GET' && place === 'query'),
    pageOf,
  );
  const sizeOf = (members: readonly InputSurface[] = []) => new Set(members.map(({ parameter }) => parameter)).size;
  const large = new Set([...taken.keys()].filter((page) => sizeOf(taken.get(page)) >= manyInputs));
  return (input) => input.in === 'query' && large.has(pageOf(input));
}

/** Members of a list are read by the same code, whatever their keys: "op[status]" and "op[author]". */
const withoutKeys = (parameter: string): string => parameter.replace(/\[[^[\]]+\]/g, '[]');

/** Nothing makes a difference, or all that is not the site's own value is as unknown as a word is. */
const isData = (answers: string): boolean => /^(?:unread|\?+)$/.test(answers);

const programOf = (url: string): string | undefined => programFile.exec(new URL(url).pathname)?.[0];

const isPlain = ({ method, in: place, page, renamed, encoded, isNumbered, alike }: InputSurface): boolean =>
  method === 'GET' &&
  (place === 'query' || place === 'path') &&
  !(renamed || encoded || isNumbered || alike || page?.tokens.length);

/** What a value is for decides which languages may read it; what it looks like, where one does. */
function looksLike(input: InputSurface): string {
  const { sample } = input;
  const form = sample === '' ? 'empty' : /^\d+$/.test(sample) ? 'number' : /^\w+$/.test(sample) ? 'word' : 'text';
  return `${usedAs(input)}.${form}`;
}

const usedAs = (input: InputSurface): string =>
  [input.in, isPathLike(input.sample) ? 'file' : mayBeFetched(input) ? 'address' : ''].join('.');

function answersTo(context: FirstLookContext, input: InputSurface): Promise<string | undefined> {
  const asked = known.get(context.surface) ?? new Map<string, Promise<string | undefined>>();
  known.set(context.surface, asked);
  const key = JSON.stringify([input.url, input.in, input.parameter, input.others, context.visitor]);
  const before = asked.get(key);
  // The check that asked first may have been ended meanwhile.
  if (before) return before.catch(() => lookAt(context, input));
  if (context.allowance() <= 0) return Promise.resolve(undefined);
  const looked = lookAt(context, input);
  asked.set(key, looked);
  // Failures pass, so they are not kept.
  looked.catch(() => asked.delete(key));
  return looked;
}

const signs = ["'", '"'];
/** What is joined to a text, or taken from a number, is nothing to a language that reads the value. */
const joints = ["'||'", "' '", '-0'];

/**
 * Of each answer whether it is that to the site's own value ("="), that to an unknown word ("?") or another one; undefined where one
 * says that a language reads the value, or that it fails.
 */
async function lookAt(context: FirstLookContext, input: InputSurface): Promise<string | undefined> {
  const value = givenValue(input);
  const answerTo = async (sent: string) => shownWords(await ask(context, input, sent), [sent, value]);
  try {
    const [usual, unknown] = [await answerTo(value), await answerTo(unknownWord)];
    const relations: string[] = [];
    for (const each of [odd, ...signs, ...joints]) {
      const words = await answerTo(value + each);
      if (usual === undefined || unknown === undefined || words === undefined) return undefined;
      // What makes no difference at all makes none where it is put together otherwise.
      if (words === usual && unknown === usual && each === odd) return unread;
      relations.push(words === usual ? '=' : words === unknown ? '?' : '!');
    }
    const isJoined = relations.slice(1 + signs.length).includes('=');
    const isRead = unknown !== usual && isJoined && relations.slice(0, 1 + signs.length).some((each) => each !== '=');
    return isRead ? undefined : `${unknown === usual ? '=' : '?'}${relations.join('')}`;
  } catch (error) {
    if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
    return undefined;
  }
}

const ask = (context: FirstLookContext, input: InputSurface, value: string): Promise<Exchange> =>
  sendInput(context, input, inputAction(input, value), newTrialValues(context.nonce));

/** What an answer says, without what it repeats and without numbers; undefined for a failure. */
function shownWords({ status, text }: Exchange, repeated: readonly string[]): string | undefined {
  if (status >= 500 || status === 429 || sqlErrorIn(text) !== undefined) return undefined;
  const words = repeated.map(wordsIn).filter((each) => each !== '');
  const shown = piecesOf(text)
    .filter((piece) => !/[="/\\]/.test(piece))
    .map((piece) =>
      words.reduce((left, each) => left.replaceAll(each, ''), wordsIn(withoutRandomValues(piece))).trim(),
    );
  return JSON.stringify([status, ...new Set(shown)]);
}

const wordsIn = (text: string): string =>
  decodedText(text)
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .trim();
