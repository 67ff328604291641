import type { GateRequest, Verdict } from '../../model/gate.ts';
import { parseJson } from '../../model/json.ts';
import { isSocketUrl, lastMessage } from '../../model/socket-messages.ts';
import type { FormSurface } from '../../model/surface.ts';
import { calledProcedure } from '../program-parts.ts';
import { normaliseRoute, normaliseSegment } from '../routes.ts';
import { makingParameters, namesCommand } from './acting-query.ts';
import { memberNames, mutationIn, rootFieldsIn } from './graphql.ts';
import { calledByMessage } from './message-words.ts';
import { partsOf } from './parts.ts';

type Pair = readonly [name: string, value: string];

/** A request by what decides on what it does: its method, its route and the names of what it sends. */
export type RequestShape = {
  method: string;
  route: string;
  fields: string[];
  /** What its query says, numbers and identifiers alike, of anything but a GET: which of many things it is sent to. */
  place: string[];
  /** Values that name a command: hidden ones and buttons of a form, any of a request. */
  commands: Pair[];
  /** The procedures that it calls, by their names. */
  operation?: string;
};

/** What requests of one form have in common wherever they are sent: method, route and sorted names of fields. */
export const formKey = ({ method, route, fields }: Pick<RequestShape, 'method' | 'route' | 'fields'>): string =>
  [method, route, [...new Set(fields.map(nameOf))].sort().join('&')].join(' ');

/**
 * A field whose name is drawn anew for each session is the same field: some sites name tokens and long texts so. So is one that has
 * the number of what the form is about in its name, as "7-title" or "title-7".
 */
const nameOf = (field: string): string =>
  /^(?=.*\d)(?=.*[a-f])[\da-f]{12,64}$/.test(field) ? '{id}' : field.replace(/^\d+(?=[-_]\D)|(?<=\D[-_])\d+$/g, '{n}');

/** The same for one place and command: a form that only reads here may write under another command, or for another page. */
export const exactKey = (shape: RequestShape): string => {
  const { place, commands } = shape;
  const exact = new Set([...place, ...commands.map((pair) => pair.join('='))]);
  return [formKey(shape), ...[...exact].sort()].join(' ');
};

/** Whether a request goes where a form goes, under the form's own command. */
export const isSentAs = (form: Pick<RequestShape, 'place' | 'commands'>, request: RequestShape): boolean =>
  spelled(form.place) === spelled(request.place) &&
  form.commands.every(([name, value]) => request.commands.some((sent) => sent[0] === name && sent[1] === value));

const spelled = (place: readonly string[]): string => [...new Set(place)].sort().join(' ');

/**
 * The keys that a verdict holds for. The verdict `reads` holds for its own place alone, and the verdict `writes` for all that are sent
 * alike; a request without a verdict is not tried at another place either.
 */
export function keysOfVerdict(
  verdict: Verdict,
  { key, exact, entries = [] }: { key: string; exact: string; entries?: readonly string[] },
): string[] {
  if (verdict === 'reads') return [exact, ...entries];
  return verdict === 'writes' ? [key, ...entries] : [...new Set([key, exact, ...entries])];
}

const placeOf = (url: string, method: string): string[] =>
  method === 'GET' ? [] : [...new URL(url).searchParams].map(([name, value]) => `${name}=${normaliseSegment(value)}`);

/** Whether the queries of two addresses that something is sent to say the same place, numbers and identifiers alike. */
export const isOnePlace = (method: string, one: string, other: string): boolean =>
  spelled(placeOf(one, method)) === spelled(placeOf(other, method));

const commandsOf = (values: readonly Pair[]): Pair[] => values.filter(([name, value]) => namesCommand(name, value));

/** Under which it is kept what opening a page does. */
export function pageKey(url: string): string {
  const { route, parameters } = partsOf(url);
  return formKey({ method: 'GET', route, fields: makingParameters(parameters).map((pair) => pair.join('=')) });
}

/** Key of observations of one parameter of an address, whatever stands beside it. */
export const parameterKey = (url: string, name: string): string =>
  formKey({ method: 'GET', route: routeOf(url), fields: [name] });

/** The same of what only a session shows again: it may be in the account, and is no matter of who has none. */
export const sessionParameterKey = (url: string, name: string): string => `session ${parameterKey(url, name)}`;

/** The shape of a form as its page shows it; the query of its action belongs to its fields. */
export function shapeOfForm({
  method,
  action,
  fields,
}: Pick<FormSurface, 'method' | 'action' | 'fields'>): RequestShape {
  const query = method === 'GET' ? [] : [...new URL(action).searchParams.keys()];
  const names = fields.map(({ name }) => name);
  const fixed = fields.filter(({ type }) => type === 'hidden' || type === 'submit');
  return {
    ...{ method, route: routeOf(action), place: placeOf(action, method) },
    commands: commandsOf(fixed.map(({ name, value }) => [name, value])),
    fields: [...query, ...names].filter((name) => name !== ''),
  };
}

/** The shape of a request on its way. The members of a JSON body are its fields, and the procedures that it calls are part of its route. */
export function shapeOfRequest({ method, url, headers, body }: GateRequest): RequestShape {
  const query = [...new URL(url).searchParams];
  const text = typeof body === 'string' ? body : body === undefined ? '' : Buffer.from(body).toString('utf8');
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1].toLowerCase() ?? '';
  const {
    fields,
    operation,
    values = [],
  } = isSocketUrl(url) ? messageFields(lastMessage(url, text)) : fieldsOf(type, text);
  const route = operation === undefined ? routeOf(url) : `${routeOf(url)}#${operation}`;
  return {
    ...{ method, route, place: placeOf(url, method) },
    commands: commandsOf(method === 'GET' ? query : values),
    fields: [...query.map(([name]) => name), ...fields],
    ...(operation === undefined ? {} : { operation }),
  };
}

/** One address takes all messages: what they are for is a part of their route. */
function messageFields(message: string): Fields {
  const { fields, operation } = jsonFields(message);
  const called = calledByMessage(message) ?? operation;
  return { fields, ...(called === undefined ? {} : { operation: called }) };
}

const routeOf = (url: string): string => normaliseRoute(new URL(url).pathname);

type Fields = { fields: string[]; operation?: string; values?: readonly Pair[] };

function fieldsOf(type: string, text: string): Fields {
  if (text === '') return { fields: [] };
  if (/\bjson\b/.test(type)) return jsonFields(text);
  if (/\bxml\b/.test(type)) return xmlFields(text);
  if (type.startsWith('multipart/'))
    return {
      fields: [...text.matchAll(/\bname="([^"\r\n]*)"/g)].map(([, name = '']) => name),
      values: [...text.matchAll(/\bname="([^"\r\n]*)"\r\n\r\n([^\r\n]{0,200})\r\n/g)].map(
        ([, name = '', value = '']): Pair => [name, value],
      ),
    };
  // A text as it is has no fields; many a script sends JSON as one.
  if (/^(?:text\/plain|application\/octet-stream)\b/.test(type)) return jsonFields(text);
  const values = [...new URLSearchParams(text)];
  return { fields: values.map(([name]) => name), values };
}

/**
 * Names of the elements of a document, which are its fields as members are those of JSON; without its root, and without prefixes. The
 * first one in the body of an envelope names the procedure. Source: SOAP 1.1 §7.1.
 */
function xmlFields(text: string): Fields {
  // The elements of such a document name kinds of values. Source: java.beans.XMLDecoder.
  if (/<java\b[^>]{0,200}\bclass="java\.beans\.XMLDecoder"/.test(text)) return { fields: ['java'] };
  const tags = [...text.replace(included, '').matchAll(/<([a-zA-Z_][\w.:-]{0,100})/g)];
  const [root, ...names] = tags.map(([, name = '']) => name.replace(/^.*:/s, ''));
  const fields = [...new Set(names)];
  const operation = root === 'Envelope' ? names[names.indexOf('Body') + 1] : undefined;
  return operation === undefined ? { fields } : { fields, operation };
}

/** An element that stands for a text, as references do. Source: XInclude 1.0. */
const included = /<[\w.-]{1,50}:include\s[^<>]{0,500}\bhttp:\/\/www\.w3\.org\/\d{4}\/XInclude"[^<>]{0,500}\/>/g;

function jsonFields(text: string): Fields {
  try {
    const value = parseJson(text);
    if (typeof value !== 'object' || value === null) return { fields: [] };
    const first: unknown = Array.isArray(value) ? value[0] : value;
    const names = typeof first === 'object' && first !== null ? Object.keys(first) : [];
    const asked = graphQlOf(value);
    if (asked) return { ...asked, fields: [...names, ...asked.fields] };
    const operation = operationIn(value);
    return operation === undefined ? { fields: names } : { fields: givenTo(value) ?? names, operation };
  } catch {
    return { fields: [] };
  }
}

/** What a call of a procedure is given by name, with the member that names the procedure first; undefined for other bodies. */
function givenTo(body: unknown): string[] | undefined {
  const called = calledProcedure(body);
  const given = Object.values(Object(body)).filter((each) => typeof each === 'object' && each !== null);
  return called && given.length > 0 ? [called.name, ...given.flatMap(memberNames)] : undefined;
}

/** What an operation of GraphQL calls or asks for, and the names of what it is given. */
function graphQlOf(body: unknown): Required<Pick<Fields, 'fields' | 'operation'>> | undefined {
  const { query, variables } = Object(Array.isArray(body) ? undefined : body) as Record<string, unknown>;
  if (typeof query !== 'string') return undefined;
  const mutation = mutationIn(query);
  // However often it is called.
  const called = mutation ? [...new Set(mutation.fields)] : rootFieldsIn(query);
  return called && { fields: [...(mutation?.arguments ?? []), ...memberNames(variables)], operation: called.join('.') };
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
function operationIn(body: unknown): string | undefined {
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

/** Both keys of a form as its page shows it. */
export function keysOfForm(form: Pick<FormSurface, 'method' | 'action' | 'fields'>): { key: string; exact: string } {
  const shape = shapeOfForm(form);
  return { key: formKey(shape), exact: exactKey(shape) };
}

/** Both keys of a request on its way. */
export function keysOfRequest(request: GateRequest): { key: string; exact: string } {
  const shape = shapeOfRequest(request);
  return { key: formKey(shape), exact: exactKey(shape) };
}
