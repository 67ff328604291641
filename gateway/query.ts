import type { DescField } from '@bufbuild/protobuf';
import type { ReflectMessage } from '@bufbuild/protobuf/reflect';
import { Refusal } from './errors.ts';
import { type Issue, unknownName } from './json.ts';
import { elementOf, valueFromText } from './values.ts';

/**
 * Fills `message` from the query of a URL, and returns everything that is wrong with it.
 * @param url a request target, for instance "/api/v1/scans?limit=5"
 * @param fields those that may stand in the query
 * @throws Refusal INVALID_PARAMETER when the query is not valid percent-encoded UTF-8
 */
export function readQuery(message: ReflectMessage, url: string, fields: readonly DescField[]): Issue[] {
  const byName = new Map(fields.map((field) => [field.jsonName, field]));
  const seen = new Set<string>();
  return parseQuery(url).flatMap(([name, text]): Issue[] => {
    const problem = (message: string): Issue[] => [{ reason: 'INVALID_PARAMETER', field: name, message }];
    const field = byName.get(name);
    if (!field) return problem(unknownName(name, byName.keys()));
    if (seen.has(name) && field.fieldKind !== 'list') return problem('is given more than once');
    seen.add(name);
    const element = elementOf(field);
    if (element.kind === 'message') return problem('cannot be given as a parameter');
    const result = valueFromText(element, text);
    if ('expected' in result) return problem(result.expected);
    if (field.fieldKind === 'list') message.get(field).add(result.value);
    else message.set(field, result.value);
    return [];
  });
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
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new Refusal(
      'INVALID_PARAMETER',
      'The query is not percent-encoded UTF-8. Correct it, then send the request again.',
    );
  }
}
