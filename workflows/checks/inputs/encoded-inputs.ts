import { parseJson } from '../../model/json.ts';
import { type PhpPlace, type SerializedPart, scalarAt, scalarsIn } from '../../model/php-values.ts';
import type { EncodedPlace, InputSurface } from '../../model/surface.ts';
import { decodedValue, inEncoding, inPhp } from '../../proof/encoded-value.ts';
import { jsonWith } from './json-inputs.ts';

/** Of one value: settings in a cookie have a few. */
const maxLeaves = 6;
const maxDepth = 4;

/** The texts in the values that the site encodes by base64 or in hexadecimal digits, or that PHP has serialized: the whole, or those of the JSON or the values of PHP that it is. */
export function encodedInputs(inputs: readonly InputSurface[]): InputSurface[] {
  return inputs.flatMap((input): InputSurface[] => {
    const decoded = input.encoded || input.renamed ? undefined : decodedValue(input.sample);
    if (!decoded) return [];
    const { encoding, text } = decoded;
    const name = input.parameter;
    const root = /^[[{]/.test(text) ? parseJson(text) : undefined;
    const parts = scalarsIn(text);
    if (parts.length > 0) return phpInputs(input, { encoding, name }, text, parts);
    if (encoding === 'plain') return [];
    if (typeof root !== 'object' || root === null) return [{ ...input, sample: text, encoded: { encoding, name } }];
    return leavesOf(root)
      .slice(0, maxLeaves)
      .map(({ pointer, path, value }) => ({
        ...input,
        // The segment of a path has a number for its name.
        parameter: input.in === 'path' ? name : `${name}.${path}`,
        sample: value,
        encoded: { encoding, name, json: { body: text, pointer } },
      }));
  });
}

function phpInputs(
  input: InputSurface,
  place: Pick<EncodedPlace, 'encoding' | 'name'>,
  text: string,
  parts: readonly SerializedPart[],
): InputSurface[] {
  return parts.slice(0, maxLeaves).flatMap((part): InputSurface[] => {
    const sample = scalarAt(text, part);
    const parameter = input.in === 'path' ? place.name : `${place.name}.${part.name}`;
    const php = { text, from: part.from, to: part.to };
    return sample === undefined ? [] : [{ ...input, parameter, sample, encoded: { ...place, php } }];
  });
}

type Leaf = { pointer: string; path: string; value: string };

function leavesOf(node: object, pointer = '', path = '', depth = 1): Leaf[] {
  return Object.entries(node).flatMap(([key, value]: [string, unknown]): Leaf[] => {
    const at = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const name = path === '' ? key : `${path}.${key}`;
    if (typeof value === 'string' || typeof value === 'number') return [{ pointer: at, path: name, value: `${value}` }];
    return typeof value === 'object' && value !== null && depth < maxDepth ? leavesOf(value, at, name, depth + 1) : [];
  });
}

/** The input as it is sent, and what is sent for a value, a template perhaps. */
export function encodedFor(
  { encoded, ...input }: InputSurface & { encoded: EncodedPlace },
  value: string,
): { input: InputSurface; value: string } {
  const { encoding, name, json, php } = encoded;
  const isPercentEncoded =
    input.in === 'query' ||
    input.in === 'path' ||
    (input.in === 'cookie' && encoding === 'plain') ||
    (input.in === 'body' && /^(?:$|application\/x-www-form-urlencoded)/.test(input.contentType ?? ''));
  return {
    input: { ...input, parameter: name },
    value: inEncoding(encoding, json ? jsonWith(json, value) : php ? withText(php, value) : value, isPercentEncoded),
  };
}

const withText = ({ text, from, to }: PhpPlace, value: string): string =>
  text.slice(0, from) + inPhp(value) + text.slice(to);
