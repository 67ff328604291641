import type { Exchange } from '../../model/http.ts';
import { isFinal, ProbeError } from '../../model/probe-error.ts';
import type { CheckContext } from '../contract.ts';
import { inParallel } from '../inputs/parallel.ts';
import { omittedBy } from '../omitted.ts';
import { isLikeMissing, isLikeMissingAtRoot } from '../pages/soft-404.ts';

/** Addresses that nothing leads to: the likeliest, and the others, which are asked for only where an answer gives a reason. */
export type Guesses<P> = { first: readonly P[]; further: readonly P[] };

const width = 4;
/** A host that gives no answer to more guesses is not asked for the others. */
const maxUnanswered = 3;

/**
 * Looks at the likeliest places, and at the others as well when one of the first was found, or when the server answers one
 * otherwise than random names beside it: what is refused by its name, or asks for a login, is there. A server that answers
 * every name alike gives no reason. A place that the gate refuses, or that gives no answer, is left out and reported.
 * @param look gives what was found at a place; its answers have to come from the context that it is given
 * @param isFound whether a result is a reason to go on; any by default
 */
export async function lookAtGuesses<P, R>(
  context: CheckContext,
  { first, further }: Guesses<P>,
  look: GuessLook<P, R>,
  isFound: (result: R) => boolean = () => true,
): Promise<R[]> {
  const { watched, answers } = watch(context);
  const lookAt = leavingFailures(context, look);
  const found = (await inParallel(first, width, (place) => lookAt(watched, place))).flat();
  if (further.length === 0 || !(found.some(isFound) || (await isAnsweredByName(context, answers)))) return found;
  return [...found, ...(await inParallel(further, width, (place) => lookAt(context, place))).flat()];
}

type GuessLook<P, R> = (context: CheckContext, place: P) => Promise<R[]>;

function leavingFailures<P, R>({ leave }: CheckContext, look: GuessLook<P, R>): GuessLook<P, R> {
  let unanswered = 0;
  return async (context, place) => {
    try {
      return await look(context, place);
    } catch (error) {
      if (!(error instanceof ProbeError) || endsLook(error)) throw error;
      if (!notSent.includes(error.code)) unanswered += 1;
      if (unanswered > maxUnanswered) throw error;
      leave(omittedBy(error, 1, error.message));
      return [];
    }
  };
}

const endsLook = (error: ProbeError): boolean => error.code === 'canceled' || isFinal(error);

const notSent: readonly ProbeError['code'][] = ['refused', 'excluded'];

/** What a proxy, a firewall or the server's own trouble answers says nothing of a name. */
const saysNothing = [400, 404, 405, 406, 410, 414, 429];

async function isAnsweredByName(context: CheckContext, answers: readonly Exchange[]): Promise<boolean> {
  for (const answer of answers) {
    if (answer.request.method !== 'GET' || saysNothing.includes(answer.status) || answer.status >= 500) continue;
    if (!(await isLikeMissingAtRoot(context, answer)) && !(await isLikeMissing(context, answer))) return true;
  }
  return false;
}

function watch(context: CheckContext): { watched: CheckContext; answers: readonly Exchange[] } {
  const answers: Exchange[] = [];
  const noted = async (answer: Promise<Exchange>): Promise<Exchange> => {
    const exchange = await answer;
    answers.push(exchange);
    return exchange;
  };
  const { http } = context;
  return {
    watched: {
      ...context,
      http: {
        send: (request) => noted(http.send(request)),
        get: (url, options) => noted(http.get(url, options)),
        newJar: () => http.newJar(),
      },
    },
    answers,
  };
}
