import type { InputSurface } from '../model/surface.ts';
import { chosenPart, inQuery, parametersOf } from '../probe/program-parts.ts';

/** The part of its program that an input belongs to, as it stands in a route. */
type PartFinder = (
  input: Pick<InputSurface, 'url' | 'in' | 'parameter'>,
  othersOf: () => InputSurface['others'],
) => string;

/**
 * A part is chosen in the address, or by what a form sends along. What chooses the part belongs to none. Parameters of one address
 * come one after the other, so the last address is remembered.
 */
export function createParts(): PartFinder {
  let last = { url: '', given: parametersOf('') };
  return ({ url, in: place, parameter }, othersOf) => {
    if (place === 'path') return '';
    if (last.url !== url) last = { url, given: parametersOf(url) };
    const chosen = chosenPart(last.given);
    const part = chosen?.name === parameter ? chosenPart(last.given.filter(({ name }) => name !== parameter)) : chosen;
    const isByForm = place === 'body' || (place === 'query' && last.given.length === 0);
    return inQuery(part ?? (isByForm ? chosenPart(othersOf()) : undefined));
  };
}
