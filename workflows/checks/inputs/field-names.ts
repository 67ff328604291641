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

type NamesContext = Pick<CheckContext, 'allowance' | 'http' | 'nonce' | 'visitor' | 'writes'> & {
  surface: object;
};

const width = 4;
/** A value at which most programs fail. */
const oddSigns = `'"`;

/** By the surface, which all checks of an activity share: each field is asked once, whichever checks ask. */
const known = new WeakMap<object, Map<string, Promise<InputSurface[]>>>();

/**
 * Names of fields that a server works with, as inputs: a field that is posted under a name of ours shows that name, or is answered
 * otherwise when a quote stands in it. Two requests for a field whose name says nothing, and only to a test system: what a server does
 * with names that no page has is not known.
 */
export async function fieldNames(context: NamesContext, inputs: readonly InputSurface[]): Promise<InputSurface[]> {
  if (context.writes !== 'create') return [];
  const asked = known.get(context.surface) ?? new Map<string, Promise<InputSurface[]>>();
  known.set(context.surface, asked);
  const found = await inParallel(inputs.filter(isField), width, (input) => {
    const key = JSON.stringify([input.url, input.parameter, input.others]);
    const before = asked.get(key);
    if (before) return before;
    if (context.allowance() <= 0) return Promise.resolve([]);
    const looked = namesOf(context, input);
    asked.set(key, looked);
    // Failures pass, so they are not kept.
    looked.catch(() => asked.delete(key));
    return looked;
  });
  return found.flatMap((each) => each ?? []);
}

const isField = ({
  method,
  in: place,
  contentType = '',
  json,
  xml,
  page,
  sample,
  renamed,
  encoded,
}: InputSurface): boolean =>
  method === 'POST' &&
  place === 'body' &&
  contentType.startsWith('application/x-www-form-urlencoded') &&
  !(json || xml || renamed || encoded || page?.tokens.length) &&
  // Without a value of its own a field is known by its name alone.
  sample !== '';

async function namesOf(context: NamesContext, input: InputSurface): Promise<InputSurface[]> {
  const { parameter, sample } = input;
  const name: InputSurface = {
    ...input,
    ...{ parameter: `name of ${parameter}`, sample: parameter, renamed: { field: parameter, value: sample } },
  };
  const ask = async (signs: string) => {
    const word = `k${context.nonce().slice(0, 10)}`;
    const answer = await sendInput(context, name, inputAction(name, word + signs), newTrialValues(context.nonce));
    return { word, answer };
  };
  try {
    const plain = await ask('');
    if (plain.answer.text.includes(plain.word)) return [name];
    const odd = await ask(oddSigns);
    if (!isOther(plain.answer, odd.answer)) return [];
    // A page that changes with each request gives no evidence.
    return isOther(plain.answer, (await ask('')).answer) || !isOther(plain.answer, (await ask(oddSigns)).answer)
      ? []
      : [name];
  } catch (error) {
    if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
    return [];
  }
}

/** Another status, or one lacks what the other has. */
function isOther(one: Exchange, other: Exchange): boolean {
  if (one.status !== other.status) return true;
  const texts = [decodedText(one.text), decodedText(other.text)];
  const lacks = (text = '', from = '') => piecesOf(from).some((piece) => !text.includes(piece));
  return lacks(texts[0], texts[1]) || lacks(texts[1], texts[0]);
}
