import type { CheckContext } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { unknownWord, wordsOf } from './answer-words.ts';
import { once } from './asked-once.ts';
import { askerOf } from './sql-decision.ts';
import { givenValue } from './unparsable.ts';

/** What an input makes of a value: a path, whose spelling is free; a key, which is another one when it is spelt otherwise; or nothing that shows. */
type TakenAs = 'path' | 'key' | 'unclear';

/**
 * A step to the folder that one stands in changes no path and every key, whether its slash is written as it is or encoded; the same
 * with another sign in front is no path, but may be the same words for a search.
 * @throws ProbeError
 */
async function decideTakenAs(context: CheckContext, input: OpenedInput): Promise<TakenAs> {
  const value = givenValue(input);
  // An address has rules of its own.
  if (/^[a-z][\w+.-]*:/i.test(value)) return 'unclear';
  const ask = askerOf(context, input);
  const answerTo = async (sent: string) => wordsOf(await ask(sent), [sent, value]);
  const [usual, unknown] = [await answerTo(value), await answerTo(unknownWord)];
  if (usual === undefined || usual === unknown) return 'unclear';
  // Behind its folder, which the value may have to begin with.
  const at = value.lastIndexOf('/') + 1;
  const [begin, rest] = [value.slice(0, at), value.slice(at)];
  // Where slashes are refused, one that is decoded once more may not be.
  for (const slash of ['/', '%2f'])
    if ((await answerTo(`${begin}.${slash}${rest}`)) === usual)
      return (await answerTo(`${begin},${slash}${rest}`)) === usual ? 'key' : 'path';
  return 'key';
}

/** The same, decided once for all checks. @throws ProbeError */
export const takenAs = once('taken as', decideTakenAs);
