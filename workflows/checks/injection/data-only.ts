import type { Exchange } from '../../model/http.ts';
import { decodedText } from '../../probe/html/decoded-text.ts';
import { documentTypeOf } from '../../probe/http/document-type.ts';
import type { CheckContext } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { askerOf } from './sql-decision.ts';
import { givenValue, odd } from './unparsable.ts';

/** Of no site: nothing is known by it. */
const [unknownWord, otherNumber] = ['wqzvx', '4815'];

/**
 * Looks at an input only where its value may get as far as an interpreter. All checks ask the same first, so that the cache answers:
 * two requests for a file, six for a number.
 */
export const unlessDataOnly =
  <T>(context: CheckContext, look: (input: OpenedInput) => Promise<T | undefined>) =>
  async (input: OpenedInput): Promise<T | undefined> =>
    (await isFile(context, input)) || (await takesNumbersOnly(context, input)) ? undefined : look(input);

/**
 * Whether something refuses all that is no number before anything uses it: a text that no language can parse, an unknown word, a
 * subtraction and a number with a separator are refused in the same words, and another number is not. To a statement, an expression
 * or a command the last two are as good as the number.
 * @throws ProbeError
 */
export async function takesNumbersOnly(context: CheckContext, input: OpenedInput): Promise<boolean> {
  const value = givenValue(input);
  // What is posted, or needs a token anew, is answered by no cache.
  if (input.method !== 'GET' || input.opening || !/^\d{1,12}$/.test(value)) return false;
  const ask = askerOf(context, input);
  const refusal = refusalIn(await ask(value + odd), value + odd);
  if (refusal === undefined || refusal === refusalIn(await ask(value), value)) return false;
  for (const sent of [unknownWord, `${value}-0`, `${value};`])
    if (refusalIn(await ask(sent), sent) !== refusal) return false;
  return refusalIn(await ask(otherNumber), otherNumber) !== refusal;
}

/** A refusal in its own words, without what was sent, numbers and random values. Undefined for what is none. */
function refusalIn(exchange: Exchange, sent: string): string | undefined {
  const { status, text } = exchange;
  if (status < 400 || status >= 500 || status === 429) return undefined;
  const words = decodedText(text)
    .replaceAll(decodedText(sent), '')
    .replace(/\b[\da-f]{8,}\b|\d+/gi, '');
  return `${status} ${documentTypeOf(exchange)} ${words}`;
}

const fileName = /\.(?:m?js|css|map|woff2?|ttf|otf|eot|png|jpe?g|gif|svg|webp|avif|ico)$/i;
const fileType = /^(?:text\/(?:css|javascript)|application\/(?:x-)?javascript|font\/|image\/)/;

/** Whether a parameter only tells caches of a file which version it is: with any other text it is the same file. @throws ProbeError */
async function isFile(context: CheckContext, input: OpenedInput): Promise<boolean> {
  if (input.in !== 'query' || !fileName.test(input.url.replace(/[?#].*$/s, ''))) return false;
  const ask = askerOf(context, input);
  const [usual, other] = [await ask(givenValue(input)), await ask(givenValue(input) + odd)];
  return (
    usual.status === 200 &&
    fileType.test(documentTypeOf(usual)) &&
    other.status === 200 &&
    Buffer.compare(usual.body, other.body) === 0
  );
}
