import type { FormSurface } from '../../checks/contract.ts';
import { parseJson } from '../json.ts';
import { normaliseRoute } from '../routes.ts';
import type { GateRequest } from './types.ts';

/** A request by what decides on what it does: its method, its route and the names of what it sends. */
export type RequestShape = {
  method: string;
  route: string;
  fields: string[];
  /** The procedures that it calls, by their names. */
  operation?: string;
};

/** Key of observations: method, route and sorted names of fields. */
export const formKey = ({ method, route, fields }: RequestShape): string =>
  [method, route, [...new Set(fields)].sort().join('&')].join(' ');

/** Under which it is kept what opening a page does. */
export const pageKey = (url: string): string => formKey({ method: 'GET', route: routeOf(url), fields: [] });

/** Key of observations of one parameter of an address, whatever stands beside it. */
export const parameterKey = (url: string, name: string): string =>
  formKey({ method: 'GET', route: routeOf(url), fields: [name] });

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

/** The shape of a request on its way. The members of a JSON body are its fields, and the procedures that it calls are part of its route. */
export function shapeOfRequest({ method, url, headers, body }: GateRequest): RequestShape {
  const query = [...new URL(url).searchParams.keys()];
  const text = typeof body === 'string' ? body : body === undefined ? '' : Buffer.from(body).toString('utf8');
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1].toLowerCase() ?? '';
  const { fields, operation } = fieldsOf(type, text);
  const route = operation === undefined ? routeOf(url) : `${routeOf(url)}#${operation}`;
  return { method, route, fields: [...query, ...fields], ...(operation === undefined ? {} : { operation }) };
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
    const operation = operationIn(value);
    return operation === undefined ? { fields: names } : { fields: names, operation };
  } catch {
    return { fields: [] };
  }
}

/** Members that name the procedure which a request calls: GraphQL, JSON-RPC, and interfaces with one address for all. */
const procedureNames = [
  'operationName',
  'model',
  'method',
  'methodName',
  'action',
  'op',
  'operation',
  'cmd',
  'command',
  'do',
];
/** A name, and no text of a person. */
const isProcedure = (value: unknown): value is string => typeof value === 'string' && /^[\w.:/-]{1,100}$/.test(value);

/** The procedures that a JSON body calls, also those of a batch and those in the parameters of a call; undefined without any. */
export function operationIn(body: unknown): string | undefined {
  const calls: unknown[] = Array.isArray(body) ? body.slice(0, maxCalls) : [body];
  const names = calls.flatMap((call) => {
    const members = Object(call) as Record<string, unknown>;
    const parameters = Object(Array.isArray(members.params) ? undefined : members.params) as Record<string, unknown>;
    return [members, parameters].flatMap((each) => procedureNames.map((name) => each[name]).filter(isProcedure));
  });
  const isAll = !Array.isArray(body) || body.length <= maxCalls;
  return names.length === 0 ? undefined : [...new Set(names), ...(isAll ? [] : ['…'])].join('.');
}

/** Calls of a batch that are read; one with more of them has a key that no other request has. */
const maxCalls = 20;
