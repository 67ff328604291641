import type { InputSurface } from '../model/surface.ts';
import { chosenPart, inQuery, parametersOf } from '../probe/program-parts.ts';

/** The part of its program that an input belongs to, as it stands in a route. */
type PartFinder = (
  input: Pick<InputSurface, 'url' | 'in' | 'parameter'>,
  othersOf: () => InputSurface['others'],
) => string;

/** Parts that another parameter chooses beside one that chooses itself, which count apart: "view" of "?module=shop&view=cart". */
const maxBeside = 4;
/** Parameters that choose parts; most sites have one. */
const maxChoosers = 500;

/**
 * A part is chosen in the address, or by what a form sends along. What chooses the part belongs to none, or to one of few that are
 * chosen beside it: mostly it is read before them. Parameters of one address come one after the other, so the last address is remembered.
 */
export function createParts(): PartFinder {
  let last = { url: '', given: parametersOf('') };
  const beside = new Map<string, Set<string>>();
  const fewOf = (chooser: string, part: string): string => {
    const known = beside.get(chooser) ?? new Set();
    if (beside.size < maxChoosers) beside.set(chooser, known);
    if (known.size < maxBeside) known.add(part);
    return known.has(part) ? part : '';
  };
  return ({ url, in: place, parameter }, othersOf) => {
    if (place === 'path') return '';
    if (last.url !== url) last = { url, given: parametersOf(url) };
    const chosen = chosenPart(last.given);
    const isChooser = chosen?.name === parameter;
    const part = isChooser ? chosenPart(last.given.filter(({ name }) => name !== parameter)) : chosen;
    if (isChooser && place === 'query') return fewOf(`${placeOf(url)} ${parameter}`, inQuery(part));
    const isByForm = place === 'body' || (place === 'query' && last.given.length === 0);
    return inQuery(part ?? (isByForm ? chosenPart(othersOf()) : undefined));
  };
}

const placeOf = (url: string): string => url.replace(/[?#].*$/s, '');
