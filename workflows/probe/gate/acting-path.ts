import { dataFile, isState, withoutExtension } from './address-words.ts';
import { namingSegments, readingNames } from './words/harmless.ts';
import { decoded, folded, tokensOf } from './words/spelling.ts';
import { viewParts } from './words/views.ts';
import { type Acting, actingInName, appliedIn, isTitle, sessionEndIn } from './words.ts';

const naming = new RegExp(`^(?:${namingSegments})$`, 'u');
const readingName = new RegExp(`^(?:${readingNames})$`, 'i');
const viewPart = new RegExp(`^(?:${viewParts.replaceAll(' ?', '')})$`, 'u');
const whatCameOfIt = /^(?:logs?|history|success|receipt|results?)$/i;
/** Segments whose members have names instead of numbers: "/projects/alpha/fork". */
const named =
  /^(?:u|users?|members?|profiles?|people|projects?|repos?|repositor(?:y|ies)|groups?|teams?|channels?|orgs?|services?|nodes?|jobs?|queues?|pages?|wiki|pods?|containers?|plugins?|modules?|branches)$/i;

/**
 * What the path of an address says that it does.
 * @param ids whether each segment names one of many things
 */
export function actingInPath(
  segments: readonly string[],
  ids: readonly boolean[],
  hasQuery: boolean,
): Acting | undefined {
  let found: Acting | undefined;
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (isLast && dataFile.test(segment)) continue;
    if (isValue(segment)) continue;
    const name = withoutExtension(segment);
    const read = ids[index] && !/\p{L}{3,}/u.test(decoded(segment)) ? undefined : actingInName(name);
    const acting = read && isName(read, segments, ids, index) ? undefined : read;
    if (isBehindThing(segments, ids, index) && (isLast || ids[index + 1])) {
      const word = isNumbered.test(name) ? undefined : appliedIn(name);
      if (word !== undefined) found ??= { code: 'would-act', word };
    }
    const isBehindId = ids.slice(0, index).includes(true);
    if (isLast && index > 0 && /^(?:on|off)$/i.test(name))
      found ??= { code: 'would-act', word: name, isSelfSufficient: true };
    if (acting?.code === 'ends-session') return acting;
    const isValued = acting?.needs === 'value' && ((isLast && hasQuery) || ids[index + 1] === true);
    if (acting && (acting.needs === undefined || isValued || (isBehindId && isLast))) found ??= acting;
    if (isBehindId && isLast && isState(name)) found ??= { code: 'would-act', word: decoded(name) };
  }
  // Numbers say nothing, and each would be read anew.
  const ending = sessionEndIn(`/${segments.map((segment) => (isNumber.test(segment) ? '0' : segment)).join('/')}`);
  if (ending !== undefined) return { code: 'ends-session', word: ending };
  if (!found) return undefined;
  const { isSelfSufficient, ...word } = found;
  return isSelfSufficient && !segments.some(asksForPassword) ? { ...word, isSelfSufficient } : word;
}

/** No program has a route of such characters: it is a value in the place of one, and its words are no commands. */
export const isValue = (segment: string): boolean => /[<>*]/.test(decoded(segment));

const isNumber = /^\d+$/;
/** "Test00012", "step-04": one of many pages, which no command is called. */
const isNumbered = /^\p{L}+[-_]?\d{2,}$/u;

const isBehindThing = (segments: readonly string[], ids: readonly boolean[], index: number): boolean =>
  (ids[index - 1] ?? false) || (index >= 2 && named.test(segments[index - 2] ?? ''));

/** Whether a word that acts elsewhere only names something by where it stands. */
function isName(acting: Acting, segments: readonly string[], ids: readonly boolean[], index: number): boolean {
  if (acting.code === 'ends-session') return false;
  const isLast = index === segments.length - 1;
  const last = withoutExtension(segments.at(-1) ?? '');
  // "/deploy/logs" and "/checkout/success" show what came of it.
  if (!isLast && !ids[index + 1] && index === segments.length - 2 && whatCameOfIt.test(last)) return true;
  // "/mod/assign/view.php" is a view of a module.
  if (!isLast && !acting.isSelfSufficient && !ids[index + 1] && readingName.test(last)) return true;
  const before = folded(decoded(segments[index - 1] ?? ''));
  // "/sidebar/hide" changes what is seen.
  if (isLast && /^(?:un)?hide$|^toggle$|^close$/.test(acting.word) && viewPart.test(before)) return true;
  const isAtEnd = segments.slice(index + 1).every((_, offset) => ids[index + 1 + offset]);
  return isAtEnd && naming.test(before) && isTitle(withoutExtension(segments[index] ?? ''));
}

/** "/password/reset" is where somebody without a password asks for one. */
const asksForPassword = (segment: string): boolean =>
  tokensOf(decoded(segment)).some((token) =>
    /^(?:pass(?:word|wort|wd)?|pwd?|contrasena|senha|parola|haslo|heslo|passe)$/.test(token),
  );
