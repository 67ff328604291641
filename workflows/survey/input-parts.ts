import type { InputSurface } from '../model/surface.ts';
import { chosenPart, inQuery, parametersOf, wordIn } from '../probe/program-parts.ts';

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
  const firsts = new Map<string, string>();
  const fewOf = (chooser: string, part: string): string => {
    const known = beside.get(chooser) ?? new Set();
    if (beside.size < maxChoosers) beside.set(chooser, known);
    if (known.size < maxBeside) known.add(part);
    return known.has(part) ? part : '';
  };
  /** A form is sent to one of several words, whatever the name before it says: each is a part, and the first is the program itself. */
  const besideFirst = (field: string, given: ReturnType<typeof parametersOf>): string => {
    const part = inQuery(wordIn(given));
    if (part === '') return '';
    const first = firsts.get(field) ?? part;
    if (firsts.size < maxChoosers) firsts.set(field, first);
    return part === first ? '' : fewOf(`body of ${field}`, part);
  };
  return ({ url, in: place, parameter }, othersOf) => {
    if (place === 'path') return '';
    if (last.url !== url) last = { url, given: parametersOf(url) };
    const chosen = chosenPart(last.given);
    const isChooser = chosen?.name === parameter;
    const part = isChooser ? chosenPart(last.given.filter(({ name }) => name !== parameter)) : chosen;
    if (isChooser && place === 'query') return fewOf(`${placeOf(url)} ${parameter}`, inQuery(part));
    const isByForm = place === 'body' || (place === 'query' && last.given.length === 0);
    const own = inQuery(part ?? (isByForm ? chosenPart(othersOf()) : undefined));
    return own === '' && place === 'body' ? besideFirst(`${placeOf(url)} ${parameter}`, last.given) : own;
  };
}

const placeOf = (url: string): string => url.replace(/[?#].*$/s, '');
