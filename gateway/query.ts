import type { DescField } from '@bufbuild/protobuf';
import type { ReflectMessage } from '@bufbuild/protobuf/reflect';
import { percentDecoded } from '../kit/percent.ts';
import { GatewayRefusal } from './errors.ts';
import type { Issues } from './issues.ts';
import { unknownName } from './json.ts';
import { elementOf, valueFromText } from './values.ts';

/**
 * Fills `message` from the query of a URL, and adds what is wrong with it to `issues`.
 * @param url a request target, for instance "/api/v1/scans?limit=5"
 * @param fields those that may stand in the query
 * @throws Refusal INVALID_PARAMETER when the query is not valid percent-encoded UTF-8
 */
export function readQuery(message: ReflectMessage, url: string, fields: readonly DescField[], issues: Issues): void {
  const byName = new Map(fields.map((field) => [field.jsonName, field]));
  const seen = new Set<string>();
  for (const [name, text] of parseQuery(url)) {
    const field = byName.get(name);
    const fault = field ? readParameter(message, field, text, seen) : unknownName(name, byName.keys());
    if (fault !== undefined) issues.add('INVALID_PARAMETER', name, fault);
  }
}

/** @returns what is wrong, as the end of a sentence */
function readParameter(message: ReflectMessage, field: DescField, text: string, seen: Set<string>): string | undefined {
  if (seen.has(field.name) && field.fieldKind !== 'list') return 'is given more than once';
  seen.add(field.name);
  const element = elementOf(field);
  if (element.kind === 'message') return 'cannot be given as a parameter';
  const result = valueFromText(element, text);
  if ('expected' in result) return result.expected;
  if (field.fieldKind === 'list') message.get(field).add(result.value);
  else message.set(field, result.value);
  return undefined;
}

/** Names and values in order (application/x-www-form-urlencoded, so "+" is a space). */
function parseQuery(url: string): [name: string, value: string][] {
  const start = url.indexOf('?');
  if (start === -1) return [];
  return url
    .slice(start + 1)
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...rest] = pair.split('=');
      return [decode(name), decode(rest.join('='))];
    });
}

function decode(text: string): string {
  const decoded = percentDecoded(text.replaceAll('+', ' '));
  if (decoded !== undefined) return decoded;
  throw new GatewayRefusal(
    'INVALID_PARAMETER',
    'The query is not percent-encoded UTF-8. Correct it, then send the request again.',
  );
}
