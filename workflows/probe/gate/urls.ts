import { actingInPath, isValue } from './acting-path.ts';
import { actingAsCalled, actingInQuery, actingOnObject, makingParameters, namesCommand } from './acting-query.ts';
import { asset, dataFile, objectLike, storing, withoutExtension } from './address-words.ts';
import { makingIn, mildIn } from './mild-words.ts';
import { type Parts, partsOf } from './parts.ts';
import { isNonceOfSignOn } from './sign-on.ts';
import { isToken } from './tokens.ts';
import { type Acting, actingInName } from './words.ts';

/** What an address says of itself. */
export type ReadAddress = {
  /** What it says that it does; what its path alone says goes first. */
  acting?: Acting & { in: 'path' | 'query' };
  /** Its last name is a word that acts as soon as it is given a value. */
  valued?: string;
  /** The word of what shows a form as often as it acts. */
  mild?: string;
  /** The word by which its page makes something new, perhaps as soon as it is opened. */
  making?: string;
  hasQuery: boolean;
  /** A segment of its path names one of many things. */
  hasIdentifier: boolean;
  /** Its path or a value in its query names one of many things. */
  hasObject: boolean;
  /** All that its query says is which part of a list is shown: a year, a page. */
  showsPart: boolean;
  /** The last segment does. */
  endsInIdentifier: boolean;
  /** Name of a parameter with a token that sites give to what changes something. */
  token?: string;
};

/** Parameters whose number does not identify an object. */
const partOfList = /^(?:year|month|week|quarter|season|page|per_?page|page_?size|limit|offset|lang|locale)$/i;

/** Segments, and parameters, that are read. */
const maxParts = 64;

/** No site has one of so many parts: what it does is not worked out, and it is not asked for. */
const overlong = (parts: number): ReadAddress => ({
  acting: { code: 'would-act', word: `an address of ${parts} parts`, isSelfSufficient: true, in: 'path' },
  hasQuery: true,
  hasIdentifier: true,
  hasObject: true,
  showsPart: false,
  endsInIdentifier: false,
});

const countOf = ({ pathname, parameters }: Parts): number =>
  Math.max(pathname.split('/').length - 1, parameters.length);

/** Has more parts than are read: nobody is allowed to ask for it. */
export const isOverlong = (url: string): boolean => countOf(partsOf(url)) > maxParts;

/** "/claim?claim_id=7" shows a claim: what is called like the thing that its parameter names is one. */
function isShownBy(lastName: string, parameters: Parts['parameters']): boolean {
  const name = withoutExtension(lastName).toLowerCase();
  return parameters.some(([each]) => /^(.+?)[-_]?(?:id|no|nr|number)$/i.exec(each)?.[1]?.toLowerCase() === name);
}

/** Reads an absolute address. */
export function readAddress(text: string): ReadAddress {
  const parts = partsOf(text);
  const { search, segments, ids, parameters } = parts;
  if (isOverlong(text)) return overlong(countOf(parts));
  const hasQuery = search.length > 1;
  const hasIdentifier = ids.includes(true);
  const lastName = segments.at(-1) ?? '';
  const verbInPath = actingInPath(segments, ids, hasQuery);
  const isThing = isShownBy(lastName, parameters);
  const inPath = verbInPath?.needs === 'value' && isThing ? undefined : verbInPath;
  const isData = dataFile.test(lastName);
  const inQuery = inPath
    ? undefined
    : (actingInQuery(parameters) ??
      (isData ? undefined : actingOnObject(withoutExtension(lastName), parameters)) ??
      actingAsCalled(withoutExtension(lastName), parameters));
  const ofProgram = segments.filter((segment) => !isValue(segment));
  const named = asset.test(ofProgram.at(-1) ?? '') ? ofProgram.slice(0, -1) : ofProgram;
  const mild = named.map((segment) => mildIn(withoutExtension(segment))).findLast((word) => word !== undefined);
  const last = isData ? undefined : actingInName(withoutExtension(lastName));
  const makes = isData
    ? undefined
    : (makingIn(withoutExtension(segments.findLast((_, index) => !ids[index]) ?? '')) ??
      makingParameters(parameters)[0]?.[1]);
  const names = parameters.map(([name]) => name);
  const token = names.find((name, at) => isToken(name, parameters[at]?.[1] ?? '') && !isNonceOfSignOn(name, names));
  const stores = mild !== undefined && storing.test(mild) && (hasQuery || hasIdentifier);
  const acting = inPath ?? inQuery ?? (stores ? { code: 'would-act' as const, word: mild } : undefined);
  return {
    hasQuery,
    hasIdentifier,
    hasObject: hasIdentifier || parameters.some(([, value]) => objectLike.test(value)),
    showsPart: parameters.length > 0 && parameters.every(([name]) => partOfList.test(name)),
    endsInIdentifier: ids.at(-1) ?? false,
    ...(acting ? { acting: { ...acting, in: inQuery ? ('query' as const) : ('path' as const) } } : {}),
    ...(last?.needs === 'value' && !isThing ? { valued: last.word } : {}),
    ...(mild === undefined ? {} : { mild }),
    ...(makes === undefined ? {} : { making: makes }),
    ...(token === undefined ? {} : { token }),
  };
}

/**
 * What one piece of code serves: route and parameter names, with the values of those that name a command. "/notes?do=view&id=3" and
 * "/notes?do=del&id=3" are different, and "/notes?do=view&id=4" is like the first.
 */
export function commandShape(text: string): string {
  const { route, parameters } = partsOf(text);
  const names = parameters.map(([name, value]) =>
    namesCommand(name, value) && !/\d/.test(value) ? `${name}=${value}` : name,
  );
  return `${route}?${[...new Set(names)].sort().join('&')}`;
}

/** Parameters of an absolute address that name a command, with their values: one entry serves many pages of a site by them. */
export const commandsIn = (text: string): string =>
  partsOf(text)
    .parameters.filter(([name, value]) => namesCommand(name, value) && !/\d/.test(value))
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join('&');
