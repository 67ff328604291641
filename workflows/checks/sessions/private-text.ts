import { parseJson } from '../../model/json.ts';
import { attributeOf, isElement, nodesOf } from '../../probe/html/tree.ts';
import { escapePattern, firstMatch } from '../../proof/pattern.ts';

const minLength = 6;
const maxLength = 120;
const maxTexts = 2_000;

/** What a page says, piece by piece: text between tags and values of fields, or the values of a JSON answer. */
export function textsOf(body: string, contentType: string): Set<string> {
  const all = /json/i.test(contentType) ? jsonTexts(body) : htmlTexts(body);
  const stands = searchIn(body);
  const texts = new Set<string>();
  for (const text of all) {
    const trimmed = text.trim();
    if (trimmed.length >= minLength && trimmed.length <= maxLength && stands(trimmed)) texts.add(trimmed);
    if (texts.size === maxTexts) break;
  }
  return texts;
}

/** Searches of a whole body. Texts come in its order but for a few; those that are written with entities are found nowhere. */
const maxWholeSearches = 500;

/** Whether a text stands in a body as it is. Looks behind the text before it first. */
function searchIn(body: string): (text: string) => boolean {
  let at = 0;
  let left = maxWholeSearches;
  return (text) => {
    const near = body.slice(at, at + nearby).indexOf(text);
    if (near !== -1) {
      at += near;
      return true;
    }
    left -= 1;
    const place = left < 0 ? -1 : body.indexOf(text);
    if (place !== -1) at = place;
    return place !== -1;
  };
}

/** Between two texts of a page there are a few tags; scripts and styles are longer. */
const nearby = 4_096;

function* htmlTexts(html: string): Generator<string> {
  for (const node of nodesOf(html)) {
    if (node.nodeName === '#text' && 'value' in node && !/^(?:script|style)$/.test(node.parentNode?.nodeName ?? ''))
      yield node.value;
    // The values of hidden fields are tokens more often than data.
    if (isElement(node) && node.tagName === 'input' && attributeOf(node, 'type') !== 'hidden')
      yield attributeOf(node, 'value') ?? '';
  }
}

function* jsonTexts(body: string): Generator<string> {
  const queue: unknown[] = [parseJson(body)];
  for (const value of queue) {
    if (typeof value === 'string' || typeof value === 'number') yield String(value);
    else if (typeof value === 'object' && value !== null && queue.length < maxTexts)
      for (const member of Object.values(value)) queue.push(member);
  }
}

/** The likeliest to be somebody's own first: addresses of people, then what has digits, then the longest. */
export const mostPersonalFirst = (texts: Iterable<string>): string[] =>
  [...texts].sort((a, b) => personality(b) - personality(a) || b.length - a.length || (a < b ? -1 : 1));

const personality = (text: string): number =>
  isMailAddress(text) ? 2 : /\d/.test(text) && /\p{L}/u.test(text) ? 1 : 0;

/** An address of a person, or letters with digits: street and number, an order, a customer. */
export const isPersonal = (text: string): boolean => personality(text) > 0;

export const isMailAddress = (text: string): boolean => /^[^\s@<>]{1,64}@[^\s@<>]{1,253}$/.test(text);

/** How far back a text's surroundings are looked at. */
const prefixLengths = [12, 24, 48, 96];

/**
 * A pattern that finds a text by what stands before it, so that an experiment can read the text again without keeping it.
 * @param bodies answers in which the pattern must find it: surroundings that change are no use
 */
export function patternFor(text: string, bodies: readonly string[]): string | undefined {
  const [body = ''] = bodies;
  const at = body.indexOf(text);
  if (at <= 0) return undefined;
  const next = body[at + text.length] ?? '';
  // What ends the text cannot be told by a character that is in it, too.
  const isWithin = text.includes(next) || /[\r\n]/.test(text);
  const rest = isWithin ? '(?s:.)' : /[\s<]/.test(next) ? '[^<\\n]' : `[^${escapeInClass(next)}\\n]`;
  for (const length of prefixLengths) {
    const pattern = `${escapePattern(body.slice(Math.max(0, at - length), at))}(${repeated(rest, text.length)})`;
    if (bodies.every((each) => firstMatch(pattern, each)?.groups[0] === text)) return pattern;
  }
  return undefined;
}

const escapeInClass = (char: string): string => (/[\\\]^-]/.test(char) ? `\\${char}` : char);

/** RE2 repeats at most a thousand times at once. */
const repeated = (one: string, times: number): string =>
  times <= 1_000 ? `${one}{${times},${times}}` : `${one}{1000,1000}${repeated(one, times - 1_000)}`;
