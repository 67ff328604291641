import type { InputSurface } from '../model/surface.ts';

/**
 * Inputs by the numbered addresses that take them. Pages whose addresses differ in a number alone are mostly made by one program, as
 * those of products, and take the same; numbered exercises and test cases are programs of their own, of which each takes its own.
 */
type NumberedPrograms = {
  /** @param isSent a form or a script sends it: links alone are no evidence */
  note(input: Omit<InputSurface, 'others'>, othersOf: () => InputSurface['others'], isSent: boolean): void;
  /** Takes out what `isMeant` holds for. */
  leave(isMeant: (input: InputSurface) => boolean): void;
  /** Whether an input belongs to programs of their own. */
  covers(input: InputSurface): boolean;
  /** The inputs of all programs of their own, each with a route that has its number. */
  all(): InputSurface[];
  /** Whether an address is one of theirs. */
  hasAddress(url: string): boolean;
  /** How many inputs of theirs were beyond the limit. */
  left(): number;
};

type NumberedAddresses = {
  /** By their numbers: the inputs, and those of them that forms and scripts send. */
  units: Map<string, { inputs: Map<string, InputSurface>; sent: Set<string> }>;
};

/** Fewer addresses show nothing. */
const fewestUnits = 4;
/** What one program takes it takes at nearly all its addresses. */
const mostInCommon = 0.7;
const maxUnits = 500;
/** A program takes more when it has one page for many things. */
const maxOfUnit = 12;
/** Of all together. */
const maxNumbered = 3_000;

/** What is taken up of numbered programs, in words. */
export const numberedBounds = `of numbered pages it takes up ${maxUnits} of a kind, and ${maxOfUnit} inputs of each`;

export function createNumberedPrograms(): NumberedPrograms {
  const families = new Map<string, NumberedAddresses>();
  let [count, left] = [0, 0];
  const isOwn = (name: string): boolean => {
    const sent = [...(families.get(name)?.units.values() ?? [])].flatMap((unit) => (unit.sent.size ? [unit.sent] : []));
    const counts = new Map<string, number>();
    for (const key of sent.flatMap((keys) => [...keys])) counts.set(key, (counts.get(key) ?? 0) + 1);
    return sent.length >= fewestUnits && Math.max(...counts.values()) <= sent.length * mostInCommon;
  };
  return {
    note(input, othersOf, isSent) {
      const place = placeOf(input.url, input, othersOf);
      if (!place) return;
      const family = families.get(place.family) ?? { units: new Map() };
      families.set(place.family, family);
      const unit = family.units.get(place.unit) ?? { inputs: new Map(), sent: new Set() };
      const key = [input.method, input.in, input.parameter, input.contentType ?? ''].join(' ');
      const isKnown = unit.inputs.has(key);
      const isFull = family.units.size >= maxUnits && !family.units.has(place.unit);
      if (!isKnown && (isFull || unit.inputs.size >= maxOfUnit || count >= maxNumbered)) {
        left += 1;
        return;
      }
      family.units.set(place.unit, unit);
      if (isSent) unit.sent.add(key);
      if (isKnown && !isSent) return;
      if (!isKnown) count += 1;
      const url = input.method === 'GET' && place.chosen ? withChosen(input.url, place.chosen) : input.url;
      unit.inputs.set(key, { ...input, url, route: place.route, others: othersOf() });
    },
    leave(isMeant) {
      for (const { units } of families.values())
        for (const { inputs, sent } of units.values())
          for (const [key, input] of inputs) if (isMeant(input)) [inputs, sent].map((each) => each.delete(key));
    },
    covers(input) {
      const place = placeOf(input.url, input, () => input.others);
      return place !== undefined && isOwn(place.family);
    },
    all: () =>
      [...families].flatMap(([name, { units }]) =>
        isOwn(name)
          ? [...units.values()].flatMap(({ inputs }) =>
              [...inputs.values()].map((input) => ({ ...input, isNumbered: true as const })),
            )
          : [],
      ),
    hasAddress(url) {
      const place = placeOf(url, undefined, () => []);
      return place !== undefined && isOwn(place.family);
    },
    left: () => ([...families.keys()].some(isOwn) ? left : 0),
  };
}

/** What a form sends along by GET stands in the address, which says then which program it is. */
function withChosen(text: string, { name, value }: { name: string; value: string }): string {
  const url = new URL(text);
  url.searchParams.set(name, value);
  return url.href;
}

const numbered = /^\p{L}*[-_]?\d{1,8}(?=$|\.[a-z]\w{0,4}$)/u;
const number = /^\d{1,8}$/;

/** The number in an address, or that of a parameter beside the input, and what is around it; undefined where there is none. */
function placeOf(
  url: string,
  input: Pick<InputSurface, 'in' | 'parameter'> | undefined,
  othersOf: () => InputSurface['others'],
): { family: string; unit: string; route: string; chosen?: { name: string; value: string } } | undefined {
  const { pathname, searchParams } = new URL(url);
  const segments = pathname.split('/');
  // A number of the path is no input of the program that it names.
  const end = input?.in === 'path' ? Number.parseInt(input.parameter, 10) : segments.length;
  const at = segments.findLastIndex((segment, index) => index < end && numbered.test(segment));
  if (at > 0) {
    const program = segments.slice(0, at + 1).join('/');
    const behind =
      input?.in === 'path'
        ? `/{${input.parameter}}`
        : segments
            .slice(at + 1)
            .map((each) => `/${each}`)
            .join('');
    return { family: program.replace(/\d+/g, '0') + behind, unit: program, route: program + behind };
  }
  const parameter = [...[...searchParams].map(([name, value]) => ({ name, value })), ...othersOf()].find(
    ({ name, value }) => number.test(value) && name !== input?.parameter,
  );
  if (!parameter) return undefined;
  const { name, value } = parameter;
  return { family: `${pathname}?${name}`, unit: value, route: `${pathname}?${name}=${value}`, chosen: { name, value } };
}
