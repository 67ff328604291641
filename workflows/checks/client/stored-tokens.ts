import type { WebStorage } from '../../model/browser.ts';
import type { Subject } from '../../model/experiment.ts';
import { parseJson } from '../../model/json.ts';
import { counted, wasOrWere } from '../../model/words.ts';
import { escapePattern, firstMatch } from '../../proof/pattern.ts';
import { likeliest, type OmissionReporter } from '../inputs/at-most.ts';
import { hasOtherPurpose, isSessionName, isUnguessable } from '../sessions/session-cookie.ts';

/** Where a token stands in a page's storage. */
export type TokenPlace = {
  area: 'local' | 'session';
  /** Name of the entry. */
  entry: string;
  /** Ways into its value: names and numbers of members; `null` parses a text as JSON. */
  path: (string | number | null)[];
};

export type StoredToken = { place: TokenPlace; value: string };

const maxTokens = 6;
const maxDepth = 8;
const maxValues = 1_000;

/** Scripts that keep something in the browser. */
export const keepsSomething = (script: string): boolean => /\b(?:local|session)Storage\b/.test(script);

/** Some programs keep the scheme along with the token. */
const scheme = '(?:(?:Bearer|JWT|Token) +)?';

/** Values that could be tokens, also in JSON that is kept as a text; those whose names say so first. */
export function tokensIn(context: OmissionReporter, storage: WebStorage[string]): StoredToken[] {
  const found: StoredToken[] = [];
  for (const area of ['local', 'session'] as const)
    for (const [entry, text] of Object.entries(storage[area])) {
      if (hasOtherPurpose(entry)) continue;
      for (const { path, value } of leavesOf(context, text)) {
        const token = value.trim().replace(new RegExp(`^${scheme}`, 'i'), '');
        const place = { area, entry, path };
        if (isUnguessable(token) && isFoundAgain(text, place, token)) found.push({ place, value: token });
      }
    }
  const likelyFirst = found.toSorted((a, b) => nameRank(a.place) - nameRank(b.place));
  return likeliest(context, likelyFirst, maxTokens, 'values that may be tokens');
}

/** A token that opens is an access token more often than one that renews it or says who somebody is. */
function nameRank({ entry, path }: TokenPlace): number {
  const name = String(path.findLast((step) => typeof step === 'string') ?? entry);
  if (/refresh|csrf|xsrf/i.test(name)) return 3;
  return /access|bearer|^token$|jwt/i.test(name) ? 0 : isSessionName(name) ? 1 : 2;
}

type StoredText = { path: TokenPlace['path']; value: string };

function* leavesOf({ leave }: OmissionReporter, text: string): Generator<StoredText> {
  let left = 0;
  const queue: { path: TokenPlace['path']; value: unknown }[] = [{ path: [], value: text }];
  for (const { path, value } of queue) {
    const parsed = typeof value === 'string' && /^\s*[{["]/.test(value) ? parseJson(value) : undefined;
    if (parsed !== undefined) queue.push({ path: [...path, null], value: parsed });
    else if (typeof value === 'string') yield { path, value };
    else if (typeof value === 'object' && value !== null) {
      if (path.length >= maxDepth || queue.length >= maxValues) left += Object.keys(value).length;
      else
        for (const [name, member] of Object.entries(value))
          queue.push({ path: [...path, Array.isArray(value) ? Number(name) : name], value: member });
    }
  }
  const omission = `${counted(left, 'value')} in the storage of a page ${wasOrWere(left)} not looked at: the check looks at ${maxValues} of an entry, ${maxDepth} levels deep`;
  if (left > 0) leave({ code: 'guessed', count: left, text: omission });
}

/** The subject of a claim about the entry. */
export const subjectOf = ({ area, entry }: TokenPlace): Subject => `browser:${area}-storage:${entry}`;

/** A pattern that finds the token in the text of its entry, by the name before it. JSON in JSON has its quotes escaped. */
export function patternOf({ path }: TokenPlace): string {
  const name = path.findLast((step) => step !== null);
  if (name === undefined) return `^\\s*\\\\*"?${scheme}([^"\\\\\\s]+)`;
  const before = typeof name === 'string' ? `\\\\*"${escapePattern(name)}\\\\*"\\s*:\\s*` : '[\\[,]\\s*';
  return `${before}\\\\*"${scheme}([^"\\\\]+)`;
}

const isFoundAgain = (text: string, place: TokenPlace, token: string): boolean =>
  firstMatch(patternOf(place), text)?.groups[0] === token;

/** An expression for the token, of characters that stand for themselves in an address and in an attribute without quotes. */
export function expressionFor({ area, entry, path }: TokenPlace): string {
  const start = `${area}Storage.getItem(${textExpression(entry)})`;
  return path.reduce<string>((expression, step) => {
    if (step === null) return `JSON.parse(${expression})`;
    return `${expression}[${typeof step === 'number' ? step : textExpression(step)}]`;
  }, start);
}

/** A text without quotes: the source of a regular expression, or its characters by their numbers. */
const textExpression = (text: string): string =>
  /^[\w:@.-]+$/.test(text)
    ? `/${text}/.source`
    : `String.fromCharCode(${Array.from({ length: text.length }, (_, index) => text.charCodeAt(index)).join(',')})`;
