import { graphQlLiterals } from '../model/graphql-literals.ts';
import { parseJson } from '../model/json.ts';
import { pointerTo } from '../model/json-pointer.ts';
import { isSocketUrl } from '../model/socket-messages.ts';
import type { InputSurface, JsonPlace, SendingPage } from '../model/surface.ts';
import { xmlTexts } from '../model/xml-texts.ts';
import { rootFieldsIn } from '../probe/gate/graphql.ts';
import { calledByMessage, commandOfText, namesMessageCommand } from '../probe/gate/message-words.ts';
import { calledProcedure } from '../probe/program-parts.ts';
import { normaliseRoute } from '../probe/routes.ts';

/** A request with a body, as a page or a document sends it. */
export type SentBody = {
  method: string;
  url: string;
  contentType: string;
  body: string;
  /** Of a message over a WebSocket: what goes before it over the same connection. */
  before?: string[];
  /** Page that sends it, and what goes into it from there. */
  page?: SendingPage;
  /** What a document says that it is for. */
  title?: string;
  /** Where a document says which parts of the path are values; by the address itself otherwise. */
  route?: string;
};

/** Methods whose bodies are data. Source: RFC 9110 §9.3, RFC 5789. */
const sending: readonly string[] = ['POST', 'PUT', 'PATCH'];
const maxLeaves = 40;
const maxDepth = 6;
const maxMembers = 6;
/** Each input has its whole body with it. */
const maxBodyLength = 16 * 1024;

/** What scripts send a text as. */
const plainText = /^(?:text\/plain\b|application\/octet-stream\b|$)/;
/** No file, and no fields that are written like those of a form. */
const readable = /^(?!\w{1,40}=)[^\p{Cc}\ufffd]{1,400}$/u;

const readableMessage = /^[^\p{Cc}\ufffd]{1,2000}$/u;

/** What is taken up of one body, in words. */
export const bodyBounds = `of the body of a request it takes up ${maxLeaves} values, ${maxDepth} levels deep, if it has ${maxBodyLength.toLocaleString('en')} characters at most`;

/** Inputs of a body, and how many values were beyond the limit; a body that is too long counts once. */
type BodyInputs = { inputs: InputSurface[]; left: number };

/** The values of a body, each as an input: fields of a form, texts and numbers of JSON wherever they stand in it, or texts of XML. */
export function bodyInputs(sent: SentBody): BodyInputs {
  const { method, url, contentType, body, page, title, route: described, before = [] } = sent;
  if (!sending.includes(method)) return { inputs: [], left: 0 };
  if (body.length > maxBodyLength) return { inputs: [], left: 1 };
  const type = contentType.toLowerCase();
  const common = {
    ...{ method, url, route: described ?? normaliseRoute(url), in: 'body' as const },
    ...(page ? { page } : {}),
    ...(before.length > 0 ? { before } : {}),
    ...(title === undefined ? {} : { title }),
  };
  if (type.startsWith('application/x-www-form-urlencoded')) {
    // A page gives it to each visitor anew, as forms do: it goes along, and is no value to try.
    const isToken = (name: string) => page?.tokens.some((token) => 'field' in token && token.field === name) ?? false;
    const pairs = [...new URLSearchParams(body)].map(([name, value]) => ({ name, value }));
    // Values of one name are alike.
    const named = [...new Map(pairs.map((pair) => [pair.name, pair])).values()].filter(({ name }) => !isToken(name));
    const inputs = named.slice(0, maxLeaves).map(({ name, value }) => {
      const others = pairs.filter((other) => other.name !== name);
      return { ...common, parameter: name, sample: value, others, contentType: 'application/x-www-form-urlencoded' };
    });
    return { inputs, left: named.length - inputs.length };
  }
  if (/^(?:application|text)\/(?:[\w.-]+\+)?xml\b/.test(type)) {
    const texts = xmlTexts(body).map((text, index) => ({ ...text, index }));
    const taken = texts.filter(({ names }) => names.length <= maxDepth).slice(0, maxLeaves);
    const inputs = taken.map(({ names, value, index }) => ({
      ...{ ...common, parameter: names.join('.'), sample: value, others: [], contentType },
      xml: { body, index },
    }));
    return { inputs, left: texts.length - inputs.length };
  }
  const root = jsonIn(type, body);
  if (isSocketUrl(url) && (typeof root !== 'object' || root === null))
    return messageInputs(body, { ...common, contentType: 'text/plain;charset=UTF-8' });
  if (root === undefined) {
    const isText = plainText.test(type) && readable.test(body);
    const contentType = type === '' ? 'text/plain;charset=UTF-8' : type;
    const inputs = [{ ...common, parameter: 'body', sample: body, others: [], contentType, text: { body } }];
    return { inputs: isText ? inputs : [], left: 0 };
  }
  const operation = operationOf(root);
  const procedure = operation === undefined ? calledProcedure(root) : undefined;
  const called = operation ?? procedure?.value ?? (isSocketUrl(url) ? calledByMessage(body) : undefined);
  const route = called === undefined ? common.route : `${common.route}#${called}`;
  // What names the procedure, and numbers the calls, is read before any of them.
  const envelope = procedure
    ? [procedure.name, ...(Object.hasOwn(Object(root), 'jsonrpc') ? ['jsonrpc', 'id'] : [])]
    : [];
  const leaves = messageOrBody(url, root, operation !== undefined);
  const taken = leaves.filter(({ names }) => names.length <= maxDepth).slice(0, maxLeaves);
  const inputs = taken.map(({ place, names, value }) => ({
    ...{ ...common, route: names.length === 1 && envelope.includes(names[0] ?? '') ? common.route : route },
    parameter: names.join('.'),
    sample: String(value),
    others: [],
    contentType: 'application/json',
    json: { body, ...place },
  }));
  return { inputs, left: leaves.length - inputs.length };
}

/** A message that is no JSON: what stands behind its command, or all of it. */
function messageInputs(body: string, common: Omit<InputSurface, 'parameter' | 'sample' | 'others'>): BodyInputs {
  const { prefix = '', command } = commandOfText(body) ?? {};
  if (!readableMessage.test(body)) return { inputs: [], left: 1 };
  const route = command === undefined ? common.route : `${common.route}#${command}`;
  const text = { body, ...(prefix === '' ? {} : { prefix }) };
  return {
    inputs: [{ ...common, route, parameter: 'body', sample: body.slice(prefix.length), others: [], text }],
    left: 0,
  };
}

/** What a message is for: with another value it is another message, or none. */
const isCommand = (names: readonly string[]): boolean => namesMessageCommand(names.at(-1) ?? '');

/** What a script sends without its type is called text by browsers; a program that reads the body takes it for JSON all the same. */
function jsonIn(type: string, body: string): unknown {
  if (/^application\/(?:[\w.-]+\+)?json\b/.test(type)) return parseJson(body) ?? null;
  const root = /^(?:text\/plain\b|$)/.test(type) ? parseJson(body) : undefined;
  return typeof root === 'object' && root !== null ? root : undefined;
}

type BodyValue = { place: Omit<JsonPlace, 'body'>; names: string[]; value: string | number };

/** Of a message all but what says what it is for; in a list that begins with a text, as those of many libraries, each member is its own. */
function messageOrBody(url: string, root: unknown, isGraphQl: boolean): BodyValue[] {
  if (!isSocketUrl(url)) return leavesOf(root, isGraphQl);
  const isEvent = Array.isArray(root) && typeof root[0] === 'string';
  const leaves = isEvent
    ? root.slice(1, maxMembers).flatMap((each, index) => within(String(index + 1), leavesOf([each], false)))
    : leavesOf(root, isGraphQl);
  return leaves.filter(({ names }) => !isCommand(names));
}

const within = (member: string, leaves: readonly BodyValue[]): BodyValue[] =>
  leaves.map(({ place, names, value }) => ({
    place: { ...place, pointer: place.pointer.replace(/^\/0/, `/${member}`) },
    names: [member, ...names.slice(1)],
    value,
  }));

/** Texts and numbers of JSON. The text of a GraphQL query is the program's, but for the values in its arguments. */
function leavesOf(root: unknown, isGraphQl: boolean): BodyValue[] {
  const leaves: BodyValue[] = [];
  const visit = (value: unknown, pointer: string, names: string[]) => {
    if ((typeof value === 'string' || typeof value === 'number') && names.length > 0)
      leaves.push({ place: { pointer }, names, value });
    if (typeof value !== 'object' || value === null) return;
    const isList = Array.isArray(value);
    // Members of a list are alike.
    const entries = isList ? Object.entries(value).slice(0, 1) : Object.entries(value);
    for (const [name, each] of entries) visit(each, pointer + pointerTo(name), [...names, name]);
  };
  visit(root, '', []);
  if (!isGraphQl) return leaves;
  const query = leaves.find(({ place }) => place.pointer === '/query');
  const literals = graphQlLiterals(String(query?.value ?? '')).map(({ name, value }, literal) => ({
    ...{ place: { pointer: '/query', literal }, names: ['query', name], value },
  }));
  return [...leaves.filter(({ names: [first] }) => first === 'variables'), ...literals];
}

/** What the body of a request calls at an address that answers for all of them: "parts.find" of JSON-RPC, "user" of GraphQL. */
export function calledIn(body: string): string | undefined {
  const root = parseJson(body);
  return operationOf(root) ?? calledProcedure(root)?.value;
}

/**
 * What a request of GraphQL asks for, whatever its operation is called: a page and a schema name it differently. Its name where that does
 * not show, "" without one; undefined for other requests. All go to one address.
 */
function operationOf(root: unknown): string | undefined {
  if (typeof root !== 'object' || root === null || !('query' in root) || typeof root.query !== 'string')
    return undefined;
  if (!root.query.includes('{')) return undefined;
  const fields = rootFieldsIn(root.query);
  if (fields) return fields.join('.');
  const given = 'operationName' in root && typeof root.operationName === 'string' ? root.operationName : undefined;
  return given ?? /^[^{(]*?\b(?:query|mutation|subscription)\s+(\w{1,100})/.exec(root.query)?.[1] ?? '';
}
