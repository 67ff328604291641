import type { Exchange } from '../model/http.ts';
import type { CheckContext } from './contract.ts';

/** Of what is left, this much is for looking; the rest is for proofs. */
const lookingPart = 0.75;

/** Requests that a check may look with, so that each of those that have yet to end is sure of as many. */
export const fairPart = (requestsLeft: number, checksLeft: number): number =>
  Math.floor((Math.max(0, requestsLeft) * lookingPart) / Math.max(1, checksLeft));

/**
 * The same context, which counts the requests of one check. An answer that came from the cache costs nothing.
 * @param requests that it may look with
 * @param paid answers of the whole family so far, which are added to
 */
export function withAllowance(context: CheckContext, requests: number, paid: WeakSet<Exchange>): CheckContext {
  let left = requests;
  const counted = async (answer: Promise<Exchange>): Promise<Exchange> => {
    const exchange = await answer;
    if (!paid.has(exchange)) left -= 1 + exchange.redirects.length;
    paid.add(exchange);
    return exchange;
  };
  return {
    ...context,
    allowance: () => Math.max(0, left),
    http: {
      send: (request) => counted(context.http.send(request)),
      get: (url, options) => counted(context.http.get(url, options)),
      newJar: () => context.http.newJar(),
    },
  };
}
