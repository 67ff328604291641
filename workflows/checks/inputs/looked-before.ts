import type { InputSurface } from '../../model/surface.ts';
import type { CheckContext } from '../contract.ts';
import type { OpenedInput } from './input-request.ts';
import { openInputOnce } from './open-input.ts';

type OnceContext = Pick<CheckContext, 'checkId' | 'http' | 'nonce' | 'visitor'> & { surface: object };

/** What checks saw at inputs, by the surface that all slices of a family share. */
const seen = new WeakMap<object, Map<string, unknown>>();
/** The looks that a check has begun in one run of it; it begins them in the same order each time. */
const looks = new WeakMap<object, number>();

/**
 * Looks at each input once, its page opened for the tokens that it needs: a check that was cut short goes on with those that it has not
 * looked at. Failures pass, so that what failed is looked at again.
 */
export function lookedBefore<D>(
  context: OnceContext,
  look: (input: OpenedInput) => Promise<D | undefined>,
): (input: InputSurface) => Promise<D | undefined> {
  const opened = async (input: InputSurface) =>
    look(input.page?.tokens.length ? await openInputOnce(context, input) : input);
  const { checkId, surface } = context;
  if (checkId === undefined) return opened;
  const known = seen.get(surface) ?? new Map<string, unknown>();
  seen.set(surface, known);
  const place = looks.get(context) ?? 0;
  looks.set(context, place + 1);
  return async (input) => {
    const key = JSON.stringify([checkId, place, input]);
    if (known.has(key)) return known.get(key) as D | undefined;
    const found = await opened(input);
    known.set(key, found);
    return found;
  };
}
