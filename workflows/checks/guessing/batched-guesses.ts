import { parseJson } from '../../model/json.ts';

/** A value that stands for the password in a request for one guess. */
type GuessBody = { body: string; password: string };

/**
 * One request of GraphQL that makes a login so many times, each under an alias of its own and with a password of its own.
 * @param password as it stands in the body for one guess; a number is put behind it
 * @returns the body; undefined where the document is no mutation with one field, or neither it nor a variable is the password
 */
export function batchedBody({ body, password }: GuessBody, count: number): string | undefined {
  const root = parseJson(body);
  const { query, variables } = Object(root) as { query?: unknown; variables?: unknown };
  const mutation = typeof query === 'string' ? partsOf(query) : undefined;
  if (!mutation) return undefined;
  const given = Object.entries(Object(variables) as Record<string, unknown>);
  const [secret] = given.flatMap(([name, value]) => (value === password ? [{ name, value }] : []));
  const guess = (text: string, index: number) => text.replaceAll(password, `${password}${index}`);
  const field = secret === undefined ? mutation.field : written(mutation.field, secret);
  if (!field.includes(password)) return undefined;
  const fields = Array.from({ length: count }, (_, index) => `${aliasOf(index)}: ${guess(field, index)}`);
  return JSON.stringify({
    ...Object(root),
    query: `${secret === undefined ? mutation.header : undeclared(mutation.header, secret.name)}{ ${fields.join(' ')} }`,
    variables: Object.fromEntries(given.filter(([name]) => name !== secret?.name)),
  });
}

export const aliasOf = (index: number): string => `guess${index}`;

type MutationParts = { header: string; field: string };

/** What stands before the selection of a mutation, and its one field without an alias. */
function partsOf(document: string): MutationParts | undefined {
  const [, header = '', selection = ''] = /^(\s*mutation\b[^{]*)\{([\s\S]*)\}\s*$/.exec(document) ?? [];
  const field = selection.trim().replace(/^\w+\s*:\s*(?=\w+\s*[({])/, '');
  return header !== '' && /^\w+\s*\(/.test(field) && isOneField(field) ? { header, field } : undefined;
}

/** Nothing stands behind its arguments but what is selected of it. */
function isOneField(field: string): boolean {
  let depth = 0;
  let closed = '';
  for (const [sign] of field.matchAll(/"(?:[^"\\\n]|\\.)*"|[(){}]|[^\s(){}"]+/g)) {
    if (closed === '}' || (closed === ')' && depth === 0 && sign !== '{')) return false;
    if (sign === '(' || sign === '{') depth += 1;
    else if (sign === ')' || sign === '}') depth -= 1;
    if (depth === 0 && (sign === ')' || sign === '}')) closed = sign;
  }
  return depth === 0;
}

const named = (variable: string, rest = ''): RegExp => new RegExp(`\\$${variable}\\b${rest}`, 'g');

/** The value itself in the place of its variable: a text of JSON is one of GraphQL as well. */
const written = (field: string, { name, value }: { name: string; value: string }): string =>
  field.replace(named(name), () => JSON.stringify(value));

/** A variable that nothing uses must not be declared. */
const undeclared = (header: string, variable: string): string =>
  header
    .replace(named(variable, '\\s*:\\s*[\\w![\\]]+\\s*,?\\s*'), '')
    .replace(/,\s*\)/, ')')
    .replace(/\s*\(\s*\)\s*/, ' ');
