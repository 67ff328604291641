import type { InputSurface, PageToken } from '../../checks/contract.ts';
import { pointerTo } from '../../proof/json-pointer.ts';
import { parseJson } from '../json.ts';
import { normaliseRoute } from '../routes.ts';

/** A request with a body, as a page or a document sends it. */
export type SentBody = {
  method: string;
  url: string;
  contentType: string;
  body: string;
  /** Page that sends it, and what goes into it from there. */
  page?: { url: string; tokens: PageToken[] };
  /** What a document says that it is for. */
  title?: string;
};

const maxLeaves = 40;
const maxDepth = 6;
const maxLength = 16 * 1024;

/** The values of a body, each as an input: fields of a form, or texts and numbers of JSON wherever they stand in it. */
export function bodyInputs({ method, url, contentType, body, page, title }: SentBody): InputSurface[] {
  if (method !== 'POST' || body.length > maxLength) return [];
  const type = contentType.toLowerCase();
  const common = {
    ...{ method, url, route: normaliseRoute(url), in: 'body' as const },
    ...(page ? { page } : {}),
    ...(title === undefined ? {} : { title }),
  };
  if (type.startsWith('application/x-www-form-urlencoded')) {
    const pairs = [...new URLSearchParams(body)].map(([name, value]) => ({ name, value }));
    return pairs.slice(0, maxLeaves).map(({ name, value }) => {
      const others = pairs.filter((other) => other.name !== name);
      return { ...common, parameter: name, sample: value, others, contentType: 'application/x-www-form-urlencoded' };
    });
  }
  if (!/^application\/(?:[\w.-]+\+)?json\b/.test(type)) return [];
  const root = parseJson(body);
  const operation = operationOf(root);
  const route = operation === undefined ? common.route : `${common.route}#${operation}`;
  return leavesOf(root, operation !== undefined).map(({ pointer, names, value }) => ({
    ...{ ...common, route },
    parameter: names.join('.'),
    sample: String(value),
    others: [],
    contentType: 'application/json',
    json: { body, pointer },
  }));
}

type Leaf = { pointer: string; names: string[]; value: string | number };

/** Texts and numbers of JSON. The text of a GraphQL query is the program's, not the visitor's. */
function leavesOf(root: unknown, isGraphQl: boolean): Leaf[] {
  const leaves: Leaf[] = [];
  const visit = (value: unknown, pointer: string, names: string[]) => {
    if (leaves.length >= maxLeaves || names.length > maxDepth) return;
    if ((typeof value === 'string' || typeof value === 'number') && names.length > 0)
      leaves.push({ pointer, names, value });
    if (typeof value !== 'object' || value === null) return;
    const isList = Array.isArray(value);
    // Members of a list are alike.
    const entries = Object.entries(value).slice(0, isList ? 1 : maxLeaves);
    for (const [name, each] of entries) visit(each, pointer + pointerTo(name), [...names, name]);
  };
  visit(root, '', []);
  return isGraphQl ? leaves.filter(({ names: [first] }) => first === 'variables') : leaves;
}

/** Name of the operation that a request of GraphQL asks for, "" without one; undefined for other requests. All go to one address. */
function operationOf(root: unknown): string | undefined {
  if (typeof root !== 'object' || root === null || !('query' in root) || typeof root.query !== 'string')
    return undefined;
  if (!root.query.includes('{')) return undefined;
  const given = 'operationName' in root && typeof root.operationName === 'string' ? root.operationName : undefined;
  return given ?? /^[^{(]*?\b(?:query|mutation|subscription)\s+(\w{1,100})/.exec(root.query)?.[1] ?? '';
}
