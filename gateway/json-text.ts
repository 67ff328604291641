import { isUtf8 } from 'node:buffer';
import { type Json, readJson } from '../kit/json.ts';
import { excessOf, requestBounds } from '../kit/json-bounds.ts';
import { GatewayRefusal } from './errors.ts';
import { repeatedName } from './repeated-name.ts';

/**
 * Reads a request body: RFC 8259 JSON in UTF-8. Stricter than the RFC in two points. Nesting and the number of values are
 * bounded. A repeated name is refused, since parsers differ in which value they keep, and a check in front of us may have
 * seen the other one.
 * @throws Refusal INVALID_BODY
 */
export function parseJson(body: Uint8Array): Json {
  if (!isUtf8(body))
    throw new GatewayRefusal(
      'INVALID_BODY',
      'The request body is not valid UTF-8. Correct it, then send the request again.',
    );
  const excess = excessOf(body, requestBounds);
  if (excess !== undefined)
    throw new GatewayRefusal('INVALID_BODY', `The request body ${excess}. Correct it, then send the request again.`);
  // Without a byte order mark, as the decoder leaves it out.
  const text = new TextDecoder().decode(body);
  const json = parse(text);
  const repeated = repeatedName(text);
  if (repeated !== undefined) {
    const message = 'is given more than once';
    throw new GatewayRefusal('INVALID_BODY', `The request body is not valid: ${repeated} ${message}. Send it once.`, {
      errors: [{ field: repeated, message }],
    });
  }
  return json;
}

function parse(text: string): Json {
  const json = readJson(text);
  if (json !== undefined) return json;
  throw new GatewayRefusal(
    'INVALID_BODY',
    'The request body is not valid JSON. Correct it, then send the request again.',
  );
}
