import type { Exchange } from '../../model/http.ts';
import type { Surface } from '../../model/surface.ts';
import type { CheckContext } from '../contract.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { type Ask, askerOf } from './sql-decision.ts';

type AskedAgain = { atMs: number; answer: Promise<Exchange> };

/** By the surface, which all checks of an activity share and which no other session has. */
const known = new WeakMap<Surface, Map<string, AskedAgain>>();
/** For how long an answer shows what the page is like now. */
const recentMs = 10_000;

/**
 * How an input's own value is answered when it is sent once more, not from the cache. That request is the same for all inputs of an
 * address, which share what was asked a moment ago.
 * @throws ProbeError
 */
export function plainAgain(context: CheckContext, input: OpenedInput, value: string): Promise<Exchange> {
  const answers = known.get(context.surface) ?? new Map<string, AskedAgain>();
  known.set(context.surface, answers);
  const { method = 'GET', url, headers = [], body = '' } = inputAction(input, value);
  const key = JSON.stringify([method, url, headers, body]);
  const recent = answers.get(key);
  if (recent && performance.now() - recent.atMs < recentMs) return recent.answer;
  const answer = askerOf(context, input)(value, true);
  answers.set(key, { atMs: performance.now(), answer });
  // Failures pass, so they are not kept.
  answer.catch(() => answers.delete(key));
  return answer;
}

/**
 * Sends an input a value; of its own one that is asked for afresh, what was answered a moment ago shows what the page has each time.
 */
export function steadyAskerOf(context: CheckContext, input: OpenedInput): Ask {
  const ask = askerOf(context, input);
  return (template, fresh = false) =>
    fresh && template === input.sample && template !== '' ? plainAgain(context, input, template) : ask(template, fresh);
}
