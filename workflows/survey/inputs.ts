import type { Omitted } from '../model/omission.ts';
import type { FormSurface, InputSurface } from '../model/surface.ts';
import { counted, wasOrWere } from '../model/words.ts';
import { isGraphQlAddress } from '../probe/graphql-address.ts';
import { placeOfName } from '../probe/parameter-names.ts';
import { nameRoute, normaliseRoute, programRoute } from '../probe/routes.ts';
import { createBareNames, maxBare } from './bare-names.ts';
import { bodyBounds, bodyInputs, type SentBody } from './body-inputs.ts';
import { formInputs } from './form-inputs.ts';
import { createParts } from './input-parts.ts';
import { createLikeAddresses, maxAlike } from './like-addresses.ts';
import { createNumberedPrograms, numberedBounds } from './numbered-programs.ts';
import { matrixValues, pathValues } from './path-values.ts';

/**
 * Places that take input, one for each method, route and parameter; pages with names of their own count apart, and so do parts that
 * a parameter chooses ("?view=login"). The first of each route come first, all in the order they were found.
 */
export type InputList = {
  /** @param isMade a value in it is ours, for which one of the site's own is taken when it comes */
  addUrl(url: string, isMade?: true): void;
  addForm(form: FormSurface): void;
  add(input: InputSurface): void;
  /** Whether numbered addresses like this one are programs of their own. */
  isNumbered(url: string): boolean;
  /** The values of a body. */
  addBody(sent: SentBody): void;
  /** Takes out what only a form of these fields sends to an address by GET. */
  leave(url: string, names: readonly string[]): void;
  /** Counts values of bodies beyond a bound. */
  leaveValues(count: number): void;
  all(): InputSurface[];
  /** How many were beyond the limit. */
  left(): Omitted[];
};

const maxInputs = 2_000;
/** Names of one route that count apart. */
const maxNames = 40;
/** Parameters beside one that are weighed against those of another address; addresses of more are made by a program. */
const maxOthers = 40;
/** Routes that go on behind one identifier in a path: whatever reads it reads it for most of them. */
const maxTails = 6;
/** Names of inputs that are left out, which are counted once each. */
const maxLeft = 10_000;

export function createInputList(): InputList {
  const inputs = new Map<string, { input: InputSurface; isFirst: boolean; isMade?: true | undefined }>();
  const likeAddresses = createLikeAddresses();
  const bareNames = createBareNames();
  const namesOf = new Map<string, Set<string>>();
  const numbered = createNumberedPrograms();
  const placeOnce = createPlaces();
  const partAt = createParts();
  const leftOfNames = new Set<string>();
  let [left, leftOfBodies] = [0, 0];

  /** @param othersOf made only for an input that is kept: an address of hundreds of parameters has as many for each */
  const note = (
    input: Omit<InputSurface, 'others'>,
    { count, othersOf }: { count: number; othersOf: () => InputSurface['others'] },
    isMade?: true,
    isSent = false,
  ) => {
    if (!isMade && count < maxOthers) numbered.note(input, othersOf, isSent);
    const at = placeOnce(input);
    const part = partAt(input, othersOf);
    const place = { name: at.name + part, route: at.route + part };
    const name = input.in === 'query' ? placeOfName(input.parameter, input.sample) : input.parameter;
    const key = [input.method, place.name, input.in, name].join(' ');
    const known = inputs.get(key);
    if (known) {
      // A value that the site uses itself is a better start than none, and what a form sends along reaches more of the code.
      const isBetter = !isMade && input.sample !== '' && (known.isMade || known.input.sample === '');
      const isAsGood = !isMade && (input.sample !== '' || known.input.sample === '');
      const hasMore =
        isAsGood && count < maxOthers && count > known.input.others.length && includes(othersOf(), known.input.others);
      // A choice that nobody has made yet is sent empty, and often finds nothing.
      const isFilled = isAsGood && count === known.input.others.length && isFuller(othersOf, known.input.others);
      const isKept = isBetter || hasMore || isFilled;
      // What a script sends along in a header the form itself does not show.
      const { page } = tokensIn(input) > tokensIn(known.input) ? input : known.input;
      if (isKept)
        inputs.set(key, { isFirst: known.isFirst, input: { ...input, route: place.route, others: othersOf() } });
      const kept = inputs.get(key);
      if (kept && page) kept.input = { ...kept.input, page };
      if (!isMade && count < maxOthers) likeAddresses.note(key, known.input, { ...input, othersOf });
      return;
    }
    if (inputs.size >= maxInputs) {
      left += 1;
      return;
    }
    const shared = [input.method, sharedRoute(input), input.in, input.parameter].join(' ');
    const names = namesOf.get(shared) ?? new Set();
    namesOf.set(shared, names);
    const kind = input.in === 'path' ? tailOf(place.name) : place.name;
    const isLeft =
      names.size >= (input.in === 'path' ? maxTails : maxNames) || (input.in === 'path' && names.has(kind));
    if (isLeft && leftOfNames.size < maxLeft && !names.has(place.name)) leftOfNames.add(key);
    else if (!isLeft) {
      inputs.set(key, {
        input: { ...input, route: place.route, others: othersOf() },
        isFirst: names.size === 0,
        isMade,
      });
      names.add(kind);
    }
  };

  const add = (input: InputSurface) => {
    const isSent = input.in === 'query' || input.in === 'body' || input.in === 'header';
    note(input, { count: input.others.length, othersOf: () => input.others }, undefined, isSent);
  };

  return {
    add,
    addUrl(text, isMade) {
      // The query of GraphQL is a language of its own, which is no place for a value.
      if (isGraphQlAddress(text)) return;
      const url = new URL(text);
      const route = normaliseRoute(text);
      const parameters = [...url.searchParams].map(([name, value]) => ({ name, value }));
      // Beside others, a name that is another one with each load is read by nobody; alone it may be what a program is asked for.
      const read = parameters.filter(({ name, value }) =>
        parameters.length === 1 ? !bareNames.isBeyond(url) : placeOfName(name, value) === name,
      );
      for (const { name, value } of read)
        note(
          { method: 'GET', url: text, route, parameter: name, in: 'query', ...valuesIn(url, name, value) },
          { count: parameters.length - 1, othersOf: () => parameters.filter((other) => other.name !== name) },
          isMade,
        );
      for (const { parameter, sample } of [...pathValues(url.pathname, route), ...matrixValues(url.pathname)])
        add({ method: 'GET', url: text, route, parameter, in: 'path', sample, others: [] });
    },
    addForm(form) {
      for (const input of formInputs(form)) add(input);
    },
    addBody(sent) {
      const body = bodyInputs(sent);
      for (const input of body.inputs) add(input);
      leftOfBodies += body.left;
    },
    leave(url, names) {
      const isSent = ({ name }: { name: string }) => names.includes(name);
      const isMeant = (input: InputSurface): boolean =>
        input.method === 'GET' &&
        input.in === 'query' &&
        placeIn(input.url) === placeIn(url) &&
        isSent({ name: input.parameter }) &&
        input.others.every(isSent);
      for (const [key, { input }] of inputs) if (isMeant(input)) inputs.delete(key);
      numbered.leave(isMeant);
    },
    leaveValues(count) {
      leftOfBodies += count;
    },
    isNumbered: numbered.hasAddress,
    all: () => [
      ...[...inputs]
        .toSorted(([, a], [, b]) => Number(b.isFirst) - Number(a.isFirst))
        .filter(([, { input }]) => !numbered.covers(input))
        .map(([key, { input }]) => likeAddresses.of(key, input)),
      ...numbered.all(),
    ],
    left: () => [
      ...leftBy(left, `a survey takes up ${maxInputs.toLocaleString('en')} at most`),
      ...leftBy(leftOfBodies, bodyBounds),
      ...leftBy(numbered.left(), numberedBounds),
      ...leftBy(
        likeAddresses.left(numbered.hasAddress),
        `${maxAlike} whose addresses differ in numbers alone were`,
        'alike',
      ),
      ...leftBy(bareNames.left(), `${maxBare} of one path whose name has no value were`, 'alike'),
      ...leftBy(
        leftOfNames.size,
        `${maxNames} of the same route and parameter were, ${maxTails} of the same identifier in paths`,
        'alike',
      ),
    ],
  };
}

/** Of several values of one name the last one, which more servers take than any other. */
function valuesIn({ searchParams }: URL, name: string, value: string): Pick<InputSurface, 'sample' | 'isRepeated'> {
  const values = searchParams.getAll(name);
  return values.length > 1 ? { sample: values.at(-1) ?? value, isRepeated: true } : { sample: value };
}

const tokensIn = ({ page }: Omit<InputSurface, 'others'>): number => page?.tokens.length ?? 0;

const placeIn = (url: string): string => url.replace(/[?#].*$/s, '');

const includes = (others: InputSurface['others'], known: InputSurface['others']): boolean => {
  const names = new Set(others.map(({ name }) => name));
  return known.every(({ name }) => names.has(name));
};

/** The same names, of which more have values. */
function isFuller(othersOf: () => InputSurface['others'], known: InputSurface['others']): boolean {
  const empty = known.filter(isEmpty).length;
  if (empty === 0) return false;
  const others = othersOf();
  return includes(others, known) && others.filter(isEmpty).length < empty;
}

const isEmpty = ({ value }: InputSurface['others'][number]): boolean => value === '';

const leftBy = (count: number, bound: string, code: Omitted['code'] = 'too_many'): Omitted[] =>
  count === 0 ? [] : [{ code, count, text: `${counted(count, 'input')} ${wasOrWere(count)} not taken up: ${bound}` }];

/** Parameters of one address come one after the other, and its length counts for each. */
function createPlaces(): typeof placeOf {
  let last: { url: string; route: string; isOwn: boolean; place: ReturnType<typeof placeOf> } | undefined;
  return (input) => {
    const { url, route } = input;
    const isOwn = isOwnPlace(input.in);
    if (last?.url !== url || last.route !== route || last.isOwn !== isOwn)
      last = { url, route, isOwn, place: placeOf(input) };
    return last.place;
  };
}

/** Of an identifier in a path the route up to it. */
const sharedRoute = ({ route, in: place, parameter }: Omit<InputSurface, 'others'>): string =>
  place === 'path'
    ? route
        .split('/')
        .slice(0, Number.parseInt(parameter, 10) + 1)
        .join('/')
    : route;

/** What servers read from the disk as it is: the parameter is for caches. */
const fileLike = /\.(?:m?js|css|map|png|jpe?g|gif|webp|avif|svg|ico|woff2?|ttf|eot|otf)$/i;

/** Of files and of what is numbered behind an identifier one stands for the others: whatever reads the identifier reads it for all. */
const tailOf = (name: string): string => name.replace(/[^/]*(\.\w{1,5})$/, '*$1').replace(/\d+/g, '0');

const isOwnPlace = (place: InputSurface['in']): boolean => place !== 'path';

/**
 * Where an input is: by the names in its address, and by its route, in which only the names of programs stay. A route that a document
 * or a command gives is kept. Files that take the same parameter are addresses of one input (see "alike").
 */
function placeOf({ url, route, method, in: place }: Omit<InputSurface, 'others'>): { name: string; route: string } {
  const [ending] = (place === 'query' && method === 'GET' && fileLike.exec(route)) || [];
  if (ending !== undefined) return { name: `any file${ending}`, route };
  return isOwnPlace(place) && route === normaliseRoute(url)
    ? { name: nameRoute(url), route: programRoute(url) }
    : { name: route, route };
}
