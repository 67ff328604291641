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

async function compare(context: NumberedContext, inputs: readonly InputSurface[]): Promise<boolean> {
  const sameSent = [...Map.groupBy(inputs, sentBy).values()].toSorted((a, b) => b.length - a.length)[0] ?? [];
  const shown = new Set<string>();
  for (const input of sameSent.slice(0, mostCompared)) {
    if (context.allowance() <= 0) return false;
    const answer = await shownAt(context, input);
    if (answer === undefined || answer.isFailure) continue;
    if (!shown.has(answer.what)) shown.add(answer.what);
    else return (await shownAt(context, { ...input, url: withoutThing(input.url) }))?.what !== answer.what;
  }
  return false;
}

const sentBy = ({ sample, others }: InputSurface): string => JSON.stringify([sample, others]);

/** A number that no thing has. */
const withoutThing = (url: string): string => {
  const address = new URL(url);
  address.pathname = address.pathname.replace(/\d+(?=\D*$)/, '804729163');
  return address.href;
};

async function shownAt(
  context: NumberedContext,
  input: InputSurface,
): Promise<{ what: string; isFailure: boolean } | undefined> {
  try {
    const answer = await sendInput(context, input, inputAction(input, input.sample), newTrialValues(context.nonce));
    return { what: shownBy(answer), isFailure: answer.status >= 400 };
  } catch (error) {
    if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
    return undefined;
  }
}

function shownBy({ status, text, header, request }: Exchange): string {
  const { pathname } = new URL(request.url);
  return JSON.stringify([status, header('location'), text.replaceAll(pathname, '')]);
}
