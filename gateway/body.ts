import { create } from '@bufbuild/protobuf';
import { type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect';
import type { Endpoint } from './endpoints.ts';
import type { Issues } from './issues.ts';
import { readRestJson } from './json.ts';
import { parseJson } from './json-text.ts';

/**
 * Fills the request message of an endpoint from the bytes of a body, and adds what is wrong with it to `issues`.
 * @throws Refusal INVALID_BODY for what is not JSON
 */
export function readBody(message: ReflectMessage, endpoint: Endpoint, bytes: Uint8Array, issues: Issues): void {
  const { body, pathFields } = endpoint;
  const json = parseJson(bytes);
  if (body === '*') readRestJson(message, json, issues, '', new Set(pathFields.map(({ name }) => name)));
  else if (body?.fieldKind === 'message') {
    const inner = reflect(body.message, create(body.message));
    readRestJson(inner, json, issues, body.jsonName);
    message.set(body, inner);
  }
}
