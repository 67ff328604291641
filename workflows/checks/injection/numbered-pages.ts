import type { Exchange } from '../../model/http.ts';
import { ProbeError } from '../../model/probe-error.ts';
import type { InputSurface } from '../../model/surface.ts';
import { newTrialValues } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import { inputAction } from '../inputs/input-request.ts';
import { sendInput } from '../inputs/open-input.ts';

type NumberedContext = Pick<CheckContext, 'allowance' | 'http' | 'nonce' | 'runId' | 'visitor'> & { surface: object };

/** Of the addresses of one input so many are compared. */
const mostCompared = 8;

/** By the surface, which all checks of an activity share. */
const known = new WeakMap<object, Map<string, Promise<boolean>>>();

/**
 * Whether addresses that differ in numbers alone belong to programs of their own, as numbered exercises do. Things of a site, as
 * products, are shown differently, each under its number; where the same is shown under two numbers, and something else under one
 * that nothing has, the number does not choose what is shown.
 */
export function areNumberedPrograms(context: NumberedContext, inputs: readonly InputSurface[]): Promise<boolean> {
  const asked = known.get(context.surface) ?? new Map<string, Promise<boolean>>();
  known.set(context.surface, asked);
  const [{ method, url, parameter, in: place } = { url: '' }] = inputs;
  const key = JSON.stringify([method, url, place, parameter, context.visitor]);
  const compared = asked.get(key) ?? compare(context, inputs);
  asked.set(key, compared);
  // The check that asked first may have been ended meanwhile.
  compared.catch(() => asked.delete(key));
  return compared;
}

/** The input by its own address, of which the number is a part. */
export function asProgram(input: InputSurface): InputSurface {
  const { alike: _, ...rest } = input;
  return { ...rest, route: new URL(input.url).pathname, isNumbered: true };
}

/** The same of pages, by what they show by themselves. */
export const arePagesOfPrograms = (context: NumberedContext, urls: readonly string[]): Promise<boolean> =>
  isSameUnderTwo(
    context,
    urls.map((url) => ({ url })),
    (page) => context.http.send(page),
  );

async function compare(context: NumberedContext, inputs: readonly InputSurface[]): Promise<boolean> {
  const sameSent = [...Map.groupBy(inputs, sentBy).values()].toSorted((a, b) => b.length - a.length)[0] ?? [];
  return isSameUnderTwo(context, sameSent, (input) =>
    sendInput(context, input, inputAction(input, input.sample), newTrialValues(context.nonce)),
  );
}

const sentBy = ({ sample, others }: InputSurface): string => JSON.stringify([sample, others]);

async function isSameUnderTwo<T extends { url: string }>(
  { allowance }: NumberedContext,
  places: readonly T[],
  ask: (place: T) => Promise<Exchange>,
): Promise<boolean> {
  const shown = new Set<string>();
  for (const place of places.slice(0, mostCompared)) {
    if (allowance() <= 0) return false;
    const answer = await shownBy(ask(place));
    if (answer === undefined || answer.isFailure) continue;
    if (!shown.has(answer.what)) shown.add(answer.what);
    else return (await shownBy(ask(withoutThing(place))))?.what !== answer.what;
  }
  return false;
}

/** The same place under a number that no thing has. */
function withoutThing<T extends { url: string }>(place: T): T {
  const address = new URL(place.url);
  address.pathname = address.pathname.replace(/\d+(?=\D*$)/, '804729163');
  return { ...place, url: address.href };
}

/** What an answer shows besides its own address; undefined when there is none. */
async function shownBy(asked: Promise<Exchange>): Promise<{ what: string; isFailure: boolean } | undefined> {
  try {
    const { status, text, header, request } = await asked;
    const { pathname } = new URL(request.url);
    const what = JSON.stringify([status, header('location'), text.replaceAll(pathname, '')]);
    return { what, isFailure: status >= 400 };
  } catch (error) {
    if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
    return undefined;
  }
}
