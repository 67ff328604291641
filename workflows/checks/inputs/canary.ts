import { createHash } from 'node:crypto';
import type { Exchange } from '../../model/http.ts';
import type { InputSurface } from '../../model/surface.ts';
import { newTrialValues } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import { inputAction, type OpenedInput } from './input-request.ts';
import { sendInput } from './open-input.ts';

type Canary = { word: string; exchange: Exchange };
type CanaryContext = Pick<CheckContext, 'http' | 'nonce' | 'runId' | 'visitor'>;

/**
 * Sends an input a word behind a value, to see where it comes back. Every check of a run sends the same word there, so that the
 * cache has the answer for all but the first; elsewhere the word is another one. Nothing is proven by it: proofs have nonces.
 * @param before what has to stand in front, for instance the site's own value
 * @throws ProbeError
 */
export async function canaryAt(context: CanaryContext, input: OpenedInput, before = ''): Promise<Canary> {
  const word = wordFor(context.runId, input, before);
  const exchange = await sendInput(context, input, inputAction(input, before + word), newTrialValues(context.nonce));
  return { word, exchange };
}

/** The word alone, and behind the site's own value where there is one. */
export const canaryPlaces = ({ sample }: InputSurface): string[] => (sample === '' ? [''] : ['', sample]);

/** Digits are refused where names are asked for, and vowels would make words of languages. */
const letters = 'bcdfghjklmnpqrst';

/** Letters alone, so that it is a word in every language that it is put into. */
function wordFor(runId: string, { method, url, parameter, in: place }: InputSurface, before: string): string {
  const text = JSON.stringify([runId, method, url, place, parameter, before]);
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 11);
  return `w${digest.replace(/./g, (digit) => letters.charAt(Number.parseInt(digit, 16)))}`;
}
