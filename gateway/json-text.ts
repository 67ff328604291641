import { Refusal } from './errors.ts';

/** What JSON can hold. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/**
 * Reads a request body: RFC 8259 JSON in UTF-8. Stricter than the RFC in one point: a repeated name is refused,
 * since parsers differ in which value they keep, and a check in front of us may have seen the other one.
 * @throws Refusal INVALID_BODY
 */
export function parseJson(body: Uint8Array): Json {
  const text = decode(body);
  const json = parse(text);
  const repeated = repeatedName(text);
  if (repeated !== undefined) {
    const message = 'is given more than once';
    throw new Refusal('INVALID_BODY', `The request body is not valid: ${repeated} ${message}. Send it once.`, {
      errors: [{ field: repeated, message }],
    });
  }
  return json;
}

function decode(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new Refusal('INVALID_BODY', 'The request body is not valid UTF-8. Correct it, then send the request again.');
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('INVALID_BODY', 'The request body is not valid JSON. Correct it, then send the request again.');
  }
}

/** @param text valid JSON, so strings, brackets and commas are all that matters */
function repeatedName(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  let isNameNext = false;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],]/g)) {
    const names = open.at(-1);
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token !== ',' && isNameNext && names) {
      const name = String(JSON.parse(token));
      if (names.has(name)) return name;
      names.add(name);
    }
    isNameNext = token === '{' || token === ',';
  }
  return undefined;
}
