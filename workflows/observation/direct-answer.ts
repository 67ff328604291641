import type { Exchange } from '../model/http.ts';
import { parseJson } from '../model/json.ts';
import { readTokens } from '../probe/html/tokens.ts';
import type { Submission } from './submission.ts';

/** Members by which an answer only says that it has taken something, or what that is called from now on. */
const acknowledging = /^(?:ok|success|status|message|error|errors|id|_id|uuid|code|created\w*|updated\w*)$/i;

/** All that an answer says when it only tells a script that something was taken, whatever type it names. */
const isTaken =
  /^["']?(?:[01]|true|false|ok(?:ay)?|success(?:ful)?(?:ly)?|done|saved|updated|yes|no|null|none)?["']?[.!]?$/i;

/** Whether a page has a text of ours in a field for long texts: an editor that shows it once more keeps it only the next time. */
function isInEditor(html: string, words: readonly string[]): boolean {
  let isOpen = false;
  let isFound = false;
  readTokens(html, (token) => {
    if (token.kind === 'text') isFound ||= isOpen && words.some((word) => token.text.includes(word));
    else if (token.name === 'textarea') isOpen = token.kind === 'start';
  });
  return isFound;
}

/**
 * Whether a direct answer gives something for what was sent: it repeats it, leads to a page for it, or has a result. One that only
 * says thanks, or leads elsewhere, may have kept what nobody is shown.
 */
export function answersWith(
  answer: Exchange,
  { words, takesLongText }: Pick<Submission, 'words' | 'takesLongText'>,
): boolean {
  const { status, text } = answer;
  const repeats = (part: string) => words.some((word) => part.includes(word));
  if (status >= 300) return repeats(answer.header('location') ?? '');
  if (takesLongText && isInEditor(text, words)) return false;
  if (repeats(text)) return true;
  if (takesLongText || status !== 200 || isTaken.test(text.slice(0, 100).trim())) return false;
  return /json/i.test(answer.header('content-type') ?? '') ? hasResult(text) : true;
}

function hasResult(text: string): boolean {
  const root = parseJson(text);
  if (Array.isArray(root) || typeof root === 'number' || typeof root === 'string') return true;
  if (typeof root !== 'object' || root === null) return false;
  return Object.entries(root).some(([name, value]) => !acknowledging.test(name) && typeof value !== 'boolean');
}

const identifier = /^(?:_?id|uuid|guid|pk)$/i;
/** When something was made: nothing else has such a time beside what was sent. */
const madeAt = /^(?:date_?)?(?:created|inserted|added|posted|submitted)(?:_?(?:at|on|date|time|ts|timestamp))?$/i;
/** Interfaces put what they give into an envelope, and queries of GraphQL into two. */
const maxEnvelopes = 2;

const named = /(?:^_?|[a-z_-])(?:id|uuid|guid|pk)$/i;
const maxDepth = 6;

/** Whether an answer gives what was sent an identifier or a time of its making that the request does not have: it was made. */
export function namesWhatWasMade(
  { status, text }: Pick<Exchange, 'status' | 'text'>,
  { url, body, words }: Pick<Submission, 'url' | 'body' | 'words'>,
): boolean {
  if (status >= 300) return false;
  const sent = identifiersIn(url, body);
  const isGiven = (value: unknown): boolean =>
    (typeof value === 'number' || (typeof value === 'string' && value !== '')) && !sent.has(`${value}`);
  const isMade = (value: unknown, depth: number): boolean => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const members = Object.entries(value);
    const isNamed = members.some(
      ([name, each]) =>
        (identifier.test(name) && isGiven(each)) || (madeAt.test(name) && isTime(each) && !body.includes(`${each}`)),
    );
    if (isNamed && words.some((word) => JSON.stringify(value).includes(word))) return true;
    return depth < maxEnvelopes && members.some(([, each]) => isMade(each, depth + 1));
  };
  return isMade(parseJson(text), 0);
}

const isTime = (value: unknown): boolean =>
  typeof value === 'number' ? value > 1e9 : typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value);

/** What a request calls the thing that it works on: parts of its address, and values whose names say so. */
function identifiersIn(url: string, body: string): Set<string> {
  const { pathname, searchParams } = new URL(url);
  const found = new Set<string>([...pathname.split('/'), ...searchParams.values()]);
  const visit = (value: unknown, name: string, depth: number): void => {
    if (typeof value !== 'object' || value === null) {
      if (named.test(name)) found.add(`${value}`);
      return;
    }
    if (depth < maxDepth) for (const [each, member] of Object.entries(value)) visit(member, each, depth + 1);
  };
  const root = parseJson(body);
  visit(root ?? Object.fromEntries(new URLSearchParams(body)), '', 0);
  return found;
}
