import type { Exchange } from '../../model/http.ts';
import { decodedText } from '../../probe/html/decoded-text.ts';
import { partRoute } from '../../probe/program-parts.ts';
import type { CheckContext } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { unknownWord, wordsOf } from './answer-words.ts';
import { askerOf } from './sql-decision.ts';
import { givenValue, odd } from './unparsable.ts';

const otherNumber = '4815';

/**
 * Whether something refuses all that is no number before anything uses it: a text that no language can parse, an unknown word, a
 * subtraction, a number with a separator and texts that are joined are refused in the same words, and another number is not. To a
 * statement, an expression or a command one of the last is as good as the number.
 * @throws ProbeError
 */
export async function takesNumbersOnly(context: CheckContext, input: OpenedInput): Promise<boolean> {
  const value = givenValue(input);
  if (!/^\d{1,12}$/.test(value) || input.namesEntry) return false;
  const ask = askerOf(context, input);
  const refusal = refusalIn(await ask(value + odd), value + odd);
  if (refusal === undefined || refusal === refusalIn(await ask(value), value)) return false;
  for (const sent of [unknownWord, `${value}-0`, `${value};`, ...[`'||'`, `' '`, `'+'`].map((joint) => value + joint)])
    if (refusalIn(await ask(sent), sent) !== refusal) return false;
  const other = siblingNumber(context, input) ?? otherNumber;
  return refusalIn(await ask(other), other) !== refusal;
}

/** The number that another address of the site has in this place: one that it knows, where most are refused. */
function siblingNumber({ surface }: CheckContext, input: OpenedInput): string | undefined {
  const valueIn = (url: string): string | null | undefined =>
    input.in === 'path'
      ? new URL(url).pathname.split('/')[Number(input.parameter)]
      : new URL(url).searchParams.get(input.parameter);
  const [route, own] = [partRoute(input.url), givenValue(input)];
  const others = surface.pages.filter(({ url, status }) => status === 200 && partRoute(url) === route);
  return (
    others.map(({ url }) => valueIn(url)).find((value) => value && value !== own && /^\d{1,12}$/.test(value)) ??
    undefined
  );
}

/** An answer that refuses, in its own words. Undefined for what is none. */
function refusalIn(exchange: Exchange, sent: string): string | undefined {
  return exchange.status < 400 ? undefined : wordsOf(exchange, [sent]);
}

/**
 * Whether only the number is used that a value begins with, as casts to integers do: whatever follows it, two numbers are answered as
 * they are alone, and otherwise than each other; behind a bracket there is none, as in an unknown word. A page that repeats what
 * followed uses the value elsewhere as well.
 * @throws ProbeError
 */
export async function takesLeadingNumber(context: CheckContext, input: OpenedInput): Promise<boolean> {
  const value = givenValue(input);
  if (!/^\d{1,12}$/.test(value) || input.namesEntry) return false;
  const ask = askerOf(context, input);
  const answerTo = async (number: string, following = '') => {
    const exchange = await ask(number + following);
    const isRepeated = following !== '' && decodedText(exchange.text).includes(following.trim());
    return isRepeated ? undefined : wordsOf(exchange, [number + following]);
  };
  const usual = await answerTo(value);
  if (usual === undefined || (await answerTo(value, odd)) !== usual) return false;
  const other = siblingNumber(context, input) ?? otherNumber;
  const others = await answerTo(other);
  if (others === undefined || others === usual) return false;
  for (const following of [odd, unknownWord, ` ${unknownWord}`])
    if ((await answerTo(value, following)) !== usual || (await answerTo(other, following)) !== others) return false;
  const none = await answerTo(unknownWord);
  return none !== usual && (await answerTo(`(${value})`)) === none;
}
