import type { Exchange } from '../../model/http.ts';
import type { Surface } from '../../model/surface.ts';
import { decodedText } from '../../probe/html/decoded-text.ts';
import { piecesOf } from '../../probe/html/page-pieces.ts';
import type { CheckContext } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { unlessBroken } from './computed-result.ts';
import { plainAgain } from './plain-again.ts';
import { withoutRandomValues, withoutWords } from './random-values.ts';
import { askerOf } from './sql-decision.ts';
import { givenValue } from './unparsable.ts';

/**
 * What no language can leave behind a value: a quote ends a text in its quotes, and opens one that does not end where the value has
 * none; a parenthesis that is not closed, and an operator without what it is for, can be parsed in no text without quotes.
 */
export type BreakingSign = "'" | '"' | '$(' | '|' | '&&';

/** By the surface, which all checks of an activity share and which no other session has. */
const known = new WeakMap<Surface, Map<string, Promise<boolean>>>();

/** Those of the signs behind the value that change the answer. @throws ProbeError */
export async function breakingSigns(
  context: CheckContext,
  input: OpenedInput,
  signs: readonly BreakingSign[],
): Promise<ReadonlySet<BreakingSign>> {
  const breaking = new Set<BreakingSign>();
  for (const sign of signs) if (await breaks(context, input, sign)) breaking.add(sign);
  return breaking;
}

/** Whether one of them does: the first that does is the last that is sent. @throws ProbeError */
export async function isBrokenByOne(
  context: CheckContext,
  input: OpenedInput,
  signs: readonly BreakingSign[],
): Promise<boolean> {
  for (const sign of signs) if (await breaks(context, input, sign)) return true;
  return false;
}

/** Each sign is sent to an input once, whichever checks of an activity ask. */
function breaks(context: CheckContext, input: OpenedInput, sign: BreakingSign): Promise<boolean> {
  const answers = known.get(context.surface) ?? new Map<string, Promise<boolean>>();
  known.set(context.surface, answers);
  const { url, method, in: place, parameter, sample } = input;
  const key = JSON.stringify([sign, method, url, place, parameter, sample]);
  const shared = answers.get(key);
  // The check that asked first may have been ended meanwhile.
  if (shared) return shared.catch(() => isAnsweredOtherwise(context, input, sign));
  const asked = isAnsweredOtherwise(context, input, sign);
  answers.set(key, asked);
  // Failures pass, so they are not kept.
  asked.catch(() => answers.delete(key));
  return asked;
}

async function isAnsweredOtherwise(context: CheckContext, input: OpenedInput, sign: BreakingSign): Promise<boolean> {
  const [ask, value] = [askerOf(context, input), givenValue(input)];
  const [base, answer] = [await ask(value), await ask(value + sign).catch(unlessBroken)];
  if (answer === undefined || base.status !== answer.status) return true;
  const [usual, other] = [without(base, value, value), without(answer, value + sign, value)];
  if (usual === other) return false;
  const again = without(await plainAgain(context, input, value), value, value);
  return again === usual || lacksOrAdds(other, usual, again);
}

/**
 * Of a page that is another one each time: whether an answer lacks what the page always has, or has another number of parts, as one
 * with a message has.
 */
function lacksOrAdds(other: string, usual: string, again: string): boolean {
  const [pieces, first, second] = [new Set(piecesOf(other)), piecesOf(usual), new Set(piecesOf(again))];
  const lasting = first.filter((piece) => second.has(piece));
  return lasting.some((piece) => !pieces.has(piece)) || ![first.length, second.size].includes(pieces.size);
}

const without = ({ text }: Exchange, sent: string, value: string): string =>
  withoutRandomValues(withoutWords(decodedText(text), [decodedText(sent), value]));
