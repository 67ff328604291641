import type { Surface } from '../../model/surface.ts';
import type { CheckContext } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';

type Decide<T> = (context: CheckContext, input: OpenedInput) => Promise<T>;

/** By the surface, which all checks of an activity share and which no other session has. The cache of answers forgets large ones. */
const known = new WeakMap<Surface, Map<string, Promise<unknown>>>();

const keyOf = (question: string, { opening: _, alike: __, ...input }: OpenedInput): string =>
  JSON.stringify([question, input]);

/** What was decided of an input, or is being; undefined where nobody has asked, or that failed. */
export const answerKnown = <T>(
  { surface }: CheckContext,
  input: OpenedInput,
  question: string,
): Promise<T | undefined> =>
  (known.get(surface)?.get(keyOf(question, input)) as Promise<T> | undefined)?.catch(() => undefined) ??
  Promise.resolve(undefined);

/** Decides once for an input, whichever checks of an activity ask. @throws ProbeError */
export const once =
  <T>(question: string, decide: Decide<T>): Decide<T> =>
  (context, input) => {
    const answers = known.get(context.surface) ?? new Map<string, Promise<unknown>>();
    known.set(context.surface, answers);
    const key = keyOf(question, input);
    const shared = answers.get(key) as Promise<T> | undefined;
    // The check that asked first may have been ended meanwhile.
    if (shared) return shared.catch(() => decide(context, input));
    const asked = decide(context, input);
    answers.set(key, asked);
    // Failures pass, so they are not kept.
    asked.catch(() => answers.delete(key));
    return asked;
  };
