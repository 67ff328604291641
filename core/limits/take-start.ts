import type { ContextValues } from '@connectrpc/connect';
import type { Caller } from '../context.ts';
import { answerHeadersKey, contextValue, emKey } from '../context.ts';
import { startsOf } from './buckets.ts';
import { setLimitHeaders } from './headers.ts';
import { giveBack, requireAllowed, takenKey, takeTokens } from './take-tokens.ts';

/**
 * Takes a token of the org's starts, and reports what is left. Called when nothing is wrong with the request and it is no
 * replay: neither uses up the limit.
 * @throws Refusal RATE_LIMITED
 */
export async function takeStart(values: ContextValues, org: NonNullable<Caller['org']>): Promise<void> {
  const em = contextValue(values, emKey);
  const before = values.get(takenKey);
  const start = await takeTokens(em, [startsOf(org)]);
  // A limit of starts blocks no reading: a start that it refuses costs no request.
  const returned = start.some(({ isAllowed }) => !isAllowed) ? await giveBack(em, before) : [];
  const now = [...start, ...returned];
  const all = before.map((taken) => now.find(({ id }) => id === taken.id) ?? taken);
  setLimitHeaders(values.get(answerHeadersKey), all);
  requireAllowed(start);
}
