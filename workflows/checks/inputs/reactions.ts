import type { Exchange } from '../../model/http.ts';
import { ProbeError } from '../../model/probe-error.ts';
import type { InputSurface } from '../../model/surface.ts';
import { decodedText } from '../../probe/html/decoded-text.ts';
import { piecesOf } from '../../probe/html/page-pieces.ts';
import { newTrialValues } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import { inputAction } from './input-request.ts';
import { sendInput } from './open-input.ts';
import { inParallel } from './parallel.ts';

type ReactionContext = Pick<CheckContext, 'allowance' | 'http' | 'nonce' | 'visitor'> & { surface: object } & Partial<
    Pick<CheckContext, 'leave'>
  >;

type AnsweredWord = { word: string; answer: Exchange };

const width = 4;
/** Most folders hold files, or things that are known by their names. */
const maxFolders = 40;
/** A value at which most programs fail. */
const oddSigns = `'"`;

/** By the surface, which all checks of an activity share: each is asked once, whichever checks ask. */
const known = new WeakMap<object, Map<string, Promise<boolean>>>();

/**
 * Whether a server works with an input of which nothing says that it is read: an answer shows what is sent, or is another one when a
 * quote stands in it. Two requests for one that it does not. @throws ProbeError `canceled`
 */
export function reactsTo(context: ReactionContext, input: InputSurface): Promise<boolean> {
  const asked = known.get(context.surface) ?? new Map<string, Promise<boolean>>();
  known.set(context.surface, asked);
  const { method, url, in: place, parameter, others } = input;
  const key = JSON.stringify([method, url, place, parameter, others, context.visitor]);
  const before = asked.get(key);
  // The check that asked first may have been ended meanwhile.
  if (before) return before.catch(() => lookAt(context, input));
  if (context.allowance() <= 0) return Promise.resolve(false);
  const looked = lookAt(context, input);
  asked.set(key, looked);
  // Failures pass, so they are not kept.
  looked.catch(() => asked.delete(key));
  return looked;
}

/** Without those of which nothing says that they are read, and to which the server does not react. */
export async function withoutIgnored(
  context: ReactionContext,
  inputs: readonly InputSurface[],
): Promise<InputSurface[]> {
  const paths = inputs.filter(({ in: place, isUnasked }) => isUnasked && place === 'path');
  const left = new Set(paths.slice(maxFolders));
  const text = `the last part of the address was not tried in ${left.size} folders: the check asks ${maxFolders} whether it is read`;
  if (left.size > 0) context.leave?.({ code: 'guessed', count: left.size, text });
  const isRead = await inParallel(inputs, width, (input) =>
    input.isUnasked ? Promise.resolve(left.has(input) ? false : reactsTo(context, input)) : Promise.resolve(true),
  );
  return inputs.filter((_, index) => isRead[index]);
}

async function lookAt(context: ReactionContext, input: InputSurface): Promise<boolean> {
  const before = input.renamed ? '' : input.sample;
  const ask = async (signs: string) => {
    const word = `k${context.nonce().slice(0, 10)}`;
    return { word, answer: await send(context, input, before + word + signs) };
  };
  try {
    const plain = await ask('');
    if (input.in === 'path' && plain.answer.status >= 400) return isMissedByProgram(context, input, plain);
    if (plain.answer.text.includes(plain.word)) return true;
    const odd = await ask(oddSigns);
    if (!isOther(plain.answer, odd.answer)) return isLookedUp(context, input, plain);
    // A page that changes with each request gives no evidence.
    return !isOther(plain.answer, (await ask('')).answer) && isOther(plain.answer, (await ask(oddSigns)).answer);
  } catch (error) {
    if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
    return false;
  }
}

const send = (context: ReactionContext, input: InputSurface, value: string): Promise<Exchange> =>
  sendInput(context, input, inputAction(input, value), newTrialValues(context.nonce));

/**
 * Whether the page for an unknown name is one of this folder alone, and not that for the name which the site links to: a program looks
 * the name up, and may take what it cannot parse for one more that is unknown.
 */
async function isLookedUp(context: ReactionContext, input: InputSurface, unknown: AnsweredWord): Promise<boolean> {
  if (input.in !== 'path' || !isOther(unknown.answer, await send(context, input, input.sample))) return false;
  return isOther(unknown.answer, await context.http.get(inUnknownFolder(input, unknown.word)));
}

const inUnknownFolder = ({ url }: InputSurface, word: string): string =>
  `${url.replace(/\/[^/]+\/[^/]*$/, '')}/${word}/${word}`;

/**
 * What is not there is nothing that a program works with, whatever the error page repeats, unless what says so is the program itself:
 * its error page is another one than that of a folder which is not there. Servers of files have pages of their own for what they miss.
 */
async function isMissedByProgram(
  context: ReactionContext,
  input: InputSurface,
  { word, answer }: AnsweredWord,
): Promise<boolean> {
  if (answer.status >= 500) return false;
  if (/\.\w{1,5}$/.test(input.sample) && isOfDisk(await send(context, input, input.sample))) return false;
  const missing = async (unknown: string) => shownBy(await context.http.get(inUnknownFolder(input, unknown)), unknown);
  const elsewhere = await missing(word);
  return elsewhere !== shownBy(answer, word) && elsewhere === (await missing(`${word}q`));
}

/** As servers send files, which they can say more of than what was asked for. RFC 9110 §8.8, §14.3. */
const isOfDisk = (answer: Exchange): boolean =>
  ['last-modified', 'etag', 'accept-ranges'].some((name) => answer.header(name) !== undefined);

/** Without what the page repeats of its address. */
const shownBy = ({ status, text, request }: Exchange, word: string): string =>
  JSON.stringify([
    status,
    decodedText(text)
      .replaceAll(new URL(request.url).href, '')
      .replaceAll(new URL(request.url).pathname, '')
      .replaceAll(word, ''),
  ]);

/** Another status, or one lacks what the other has. */
function isOther(one: Exchange, other: Exchange): boolean {
  if (one.status !== other.status) return true;
  const texts = [decodedText(one.text), decodedText(other.text)];
  const lacks = (text = '', from = '') => piecesOf(from).some((piece) => !text.includes(piece));
  return lacks(texts[0], texts[1]) || lacks(texts[1], texts[0]);
}
