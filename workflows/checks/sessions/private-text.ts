import type { Exchange } from '../../model/http.ts';
import { parseJson } from '../../model/json.ts';
import { counted, wasOrWere } from '../../model/words.ts';
import { attributeOf, isElement, nodesOf } from '../../probe/html/tree.ts';
import { calledWith } from '../../probe/jsonp.ts';
import { escapePattern, firstMatch } from '../../proof/pattern.ts';
import type { OmissionReporter } from '../inputs/at-most.ts';

const minLength = 6;
const maxLength = 120;
const maxTexts = 2_000;

/** What a page says, piece by piece: text between tags and values of fields, or the values of a JSON answer. */
export const textsOf = (body: string, contentType: string): Set<string> => readTexts(body, contentType).texts;

/** The same of an answer. What is beyond the bounds is reported as a limit: the other pieces of the page stand for it. */
export function textsShown({ leave }: OmissionReporter, { text: body, header, request }: Exchange): Set<string> {
  const { texts, left } = readTexts(body, header('content-type') ?? '');
  const text = `${counted(left, 'piece')} of text of ${request.url} ${wasOrWere(left)} not compared: ${maxTexts} of a page are`;
  if (left > 0) leave({ code: 'alike', count: left, text });
  return texts;
}

/** Documents of lines. */
const isPlain = /^text\/(?:plain|csv|markdown)\b/i;

/** Messages have no type: JSON, one in a line. */
const isOfMessages = (body: string, contentType: string): boolean => contentType === '' && /^\s*[{[]/.test(body);

/** And how many pieces were beyond the limit. */
export function readTexts(body: string, contentType: string): { texts: Set<string>; left: number } {
  const called = /script|json/i.test(contentType) ? calledWith(body)?.json : undefined;
  const all = isPlain.test(contentType)
    ? body.split(/[\r\n\t]+/)
    : called !== undefined || /json/i.test(contentType)
      ? jsonTexts(called ?? body)
      : isOfMessages(body, contentType)
        ? body.split('\n').flatMap((line) => [...jsonTexts(line)])
        : htmlTexts(body);
  const search = searchIn(body);
  const texts = new Set<string>();
  let left = 0;
  for (const text of all) {
    const trimmed = text.trim();
    if (trimmed.length < minLength || trimmed.length > maxLength || texts.has(trimmed)) continue;
    const found = texts.size < maxTexts ? search(trimmed) : 'not-looked-for';
    if (found === 'stands') texts.add(trimmed);
    else if (found === 'not-looked-for') left += 1;
  }
  return { texts, left };
}

/** Searches of a whole body. Texts come in its order but for a few; those that are written with entities are found nowhere. */
const maxWholeSearches = 500;

/** Whether a text stands in a body as it is. Looks behind the text before it first. */
function searchIn(body: string): (text: string) => 'stands' | 'absent' | 'not-looked-for' {
  let at = 0;
  let left = maxWholeSearches;
  return (text) => {
    const near = body.slice(at, at + nearby).indexOf(text);
    if (near !== -1) {
      at += near;
      return 'stands';
    }
    if (left === 0) return 'not-looked-for';
    left -= 1;
    const place = body.indexOf(text);
    if (place === -1) return 'absent';
    at = place;
    return 'stands';
  };
}

/** Between two texts of a page there are a few tags; scripts and styles are longer. */
const nearby = 4_096;

/** What a button says is the program's, and differs with what its page and its visitor may do. */
const pressed = /^(?:button|submit|reset)$/i;

function* htmlTexts(html: string): Generator<string> {
  for (const node of nodesOf(html)) {
    if (
      node.nodeName === '#text' &&
      'value' in node &&
      !/^(?:script|style|button)$/.test(node.parentNode?.nodeName ?? '')
    )
      yield node.value;
    // The values of hidden fields are tokens more often than data.
    if (isElement(node) && node.tagName === 'input' && !/^hidden$/i.test(attributeOf(node, 'type') ?? ''))
      yield pressed.test(attributeOf(node, 'type') ?? '') ? '' : (attributeOf(node, 'value') ?? '');
  }
}

function* jsonTexts(body: string): Generator<string> {
  const queue: unknown[] = [parseJson(body)];
  for (const value of queue) {
    if (typeof value === 'string' || typeof value === 'number') yield String(value);
    else if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) queue.push(member);
  }
}

/** Who is refused with a success sees the frame of a page and its headings, or a part. */
const minShare = 0.5;

/** Whether so many pieces of all are shown that the object itself is. */
export const isMost = (seen: number, all: number): boolean => seen >= all * minShare;

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
  if (at === -1) return undefined;
  const next = body[at + text.length] ?? '';
  // A character that is also in the text cannot mark its end.
  const isWithin = text.includes(next) || /[\r\n]/.test(text);
  const rest = isWithin ? '(?s:.)' : /[\s<]/.test(next) ? '[^<\\n]' : `[^${escapeInClass(next)}\\n]`;
  for (const length of prefixLengths) {
    const before = at === 0 ? '^' : escapePattern(body.slice(Math.max(0, at - length), at));
    const pattern = `${before}(${repeated(rest, text.length)})`;
    if (bodies.every((each) => firstMatch(pattern, each)?.groups[0] === text)) return pattern;
  }
  return undefined;
}

const escapeInClass = (char: string): string => (/[\\\]^-]/.test(char) ? `\\${char}` : char);

/** RE2 repeats at most a thousand times at once. */
const repeated = (one: string, times: number): string =>
  times <= 1_000 ? `${one}{${times},${times}}` : `${one}{1000,1000}${repeated(one, times - 1_000)}`;
