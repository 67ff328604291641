import type { FormSurface } from '../../checks/contract.ts';
import { parseJson } from '../json.ts';
import { normaliseRoute } from '../routes.ts';
import type { GateRequest } from './types.ts';

/** A request by what decides on what it does: its method, its route and the names of what it sends. */
export type RequestShape = { method: string; route: string; fields: string[] };

/** Key of observations: method, route and sorted names of fields. */
export const formKey = ({ method, route, fields }: RequestShape): string =>
  [method, route, [...new Set(fields)].sort().join('&')].join(' ');

/** The shape of a form as its page shows it; the query of its action belongs to its fields. */
export function shapeOfForm({
  method,
  action,
  fields,
}: Pick<FormSurface, 'method' | 'action' | 'fields'>): RequestShape {
  const query = method === 'GET' ? [] : [...new URL(action).searchParams.keys()];
  const names = fields.map(({ name }) => name);
  return { method, route: routeOf(action), fields: [...query, ...names].filter((name) => name !== '') };
}

/** The shape of a request on its way. The members of a JSON body are its fields, and the operation of GraphQL is part of its route. */
export function shapeOfRequest({ method, url, headers, body }: GateRequest): RequestShape {
  const query = [...new URL(url).searchParams.keys()];
  const text = typeof body === 'string' ? body : body === undefined ? '' : Buffer.from(body).toString('utf8');
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1].toLowerCase() ?? '';
  const { fields, operation } = fieldsOf(type, text);
  const route = operation === undefined ? routeOf(url) : `${routeOf(url)}#${operation}`;
  return { method, route, fields: [...query, ...fields] };
}

const routeOf = (url: string): string => normaliseRoute(new URL(url).pathname);

type Fields = { fields: string[]; operation?: string };

function fieldsOf(type: string, text: string): Fields {
  if (text === '') return { fields: [] };
  if (/\bjson\b/.test(type)) return jsonFields(text);
  if (type.startsWith('multipart/'))
    return { fields: [...text.matchAll(/\bname="([^"\r\n]*)"/g)].map(([, name = '']) => name) };
  return { fields: [...new URLSearchParams(text).keys()] };
}

function jsonFields(text: string): Fields {
  try {
    const value = parseJson(text);
    if (typeof value !== 'object' || value === null) return { fields: [] };
    const first: unknown = Array.isArray(value) ? value[0] : value;
    const names = typeof first === 'object' && first !== null ? Object.keys(first) : [];
    const { operationName } = first as { operationName?: unknown };
    return typeof operationName === 'string' ? { fields: names, operation: operationName } : { fields: names };
  } catch {
    return { fields: [] };
  }
}
