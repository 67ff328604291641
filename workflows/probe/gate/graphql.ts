import type { GateRequest } from '../../model/gate.ts';
import { parseJson } from '../../model/json.ts';
import { isAdding } from './adding.ts';
import { makingIn } from './mild-words.ts';
import { actingInName, appliedIn } from './words.ts';

/** What a request asks a GraphQL server for; undefined when it is no such request. Source: GraphQL specification §2.3. */
export function graphQlOperations(request: GateRequest, body: string): 'queries' | 'others' | undefined {
  if (request.method !== 'POST' && !request.url.includes('query=')) return undefined;
  const texts = request.method === 'POST' ? queriesIn(body) : [new URL(request.url).searchParams.get('query') ?? ''];
  const documents = texts.filter((text) => (request.method === 'POST' ? /\{/ : startsDocument).test(text));
  if (documents.length === 0 || documents.length < texts.length) return undefined;
  return documents.every(asksOnly) ? 'queries' : 'others';
}

/**
 * How a document begins behind what a server passes over. What is searched for in a parameter of that name, and has a brace in it
 * somewhere, is none. Source: GraphQL specification §2.1.7, §2.2, §2.3.
 */
const startsDocument =
  /^(?:[\s,\ufeff]|#[^\n\r]*)*(?:\{(?:[\s,]|#[^\n\r]*)*(?:\.\.\.|[A-Za-z_])|"|(?:query|mutation|subscription|fragment|extend|schema|type|directive)\b)/;

function queriesIn(body: string): string[] {
  const value = parseJson(body);
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.flatMap((item) => {
    const { query } = Object(item) as { query?: unknown };
    return typeof query === 'string' ? [query] : [];
  });
}

/** Comments and strings may hold any word. */
const codeOf = (document: string): string => document.replace(/"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|#[^\n]*/g, ' ');

const asksOnly = (document: string): boolean => {
  const code = codeOf(document);
  return /^\s*(?:query\b|\{|fragment\b)/.test(code) && !/\b(?:mutation|subscription)\b/.test(code);
};

/** One mutation alone that calls nothing which acts by its name, and names no thing but to add one to it: a test system takes it. */
export function isMildMutation(body: string): boolean {
  const [query, ...others] = queriesIn(body);
  const mutation = query !== undefined && others.length === 0 ? mutationIn(query) : undefined;
  if (!mutation) return false;
  const acts = (name: string): boolean => {
    const word = actingInName(name)?.word ?? appliedIn(name);
    return word !== undefined && !isAdding(word);
  };
  const { variables } = Object(parseJson(body)) as { variables?: unknown };
  const namesThing = [...mutation.arguments, ...memberNames(variables)].some((name) => identifying.test(name));
  return mutation.fields.every((name) => !acts(name) && (!namesThing || makingIn(name) !== undefined));
}

const identifying = /^(?:u?u?id|slug|key|code)s?$|[a-z](?:Id|ID|Uuid|Slug)s?$|_(?:uu)?ids?$/;

/** Names of members on all levels; those of lists are numbers and none. */
export const memberNames = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, each]) => [...(Array.isArray(value) ? [] : [name]), ...memberNames(each)]);

type CalledFields = { fields: string[]; arguments: string[] };

/** What one mutation calls, and the names of the arguments that its text gives; undefined for anything else. */
export const mutationIn = (document: string): CalledFields | undefined => {
  const code = codeOf(document);
  return /^\s*mutation\b/.test(code) ? calledIn(code) : undefined;
};

/** What the one operation of a document asks for or does, each name once: "user", "addTask"; undefined where fragments keep it. */
export function rootFieldsIn(document: string): string[] | undefined {
  const called = calledIn(codeOf(document));
  return called && [...new Set(called.fields)];
}

function calledIn(code: string): CalledFields | undefined {
  const [header] = /^\s*(?:(?:mutation|query)\b[^{]*)?(?=\{)/.exec(code) ?? [];
  if (header === undefined || /\b(?:mutation|query|subscription|fragment)\b|@/.test(code.slice(header.length)))
    return undefined;
  const found: CalledFields = { fields: [], arguments: [] };
  let [braces, parentheses, previous] = [0, 0, ''];
  for (const [sign] of code.slice(header.length).matchAll(/[A-Za-z_]\w*|[(){}:]|\.{3}/g)) {
    if (sign === '...') return undefined;
    if (sign === '{') braces += 1;
    else if (sign === '}') braces -= 1;
    else if (sign === '(') parentheses += 1;
    else if (sign === ')') parentheses -= 1;
    else if (sign === ':' && parentheses > 0) found.arguments.push(previous);
    else if (sign === ':') found.fields.pop();
    else if (braces === 1 && parentheses === 0) found.fields.push(sign);
    previous = sign;
  }
  return braces === 0 && parentheses === 0 && found.fields.length > 0 ? found : undefined;
}
