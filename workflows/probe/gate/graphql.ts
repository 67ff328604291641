import type { GateRequest } from '../../model/gate.ts';
import { parseJson } from '../../model/json.ts';

/** What a request asks a GraphQL server for; undefined when it is no such request. Source: GraphQL specification §2.3. */
export function graphQlOperations(request: GateRequest, body: string): 'queries' | 'others' | undefined {
  if (request.method !== 'POST' && !request.url.includes('query=')) return undefined;
  const texts = request.method === 'POST' ? queriesIn(body) : [new URL(request.url).searchParams.get('query') ?? ''];
  const documents = texts.filter((text) => /\{/.test(text));
  if (documents.length === 0 || documents.length < texts.length) return undefined;
  return documents.every(asksOnly) ? 'queries' : 'others';
}

function queriesIn(body: string): string[] {
  const value = parseJson(body);
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.flatMap((item) => {
    const { query } = Object(item) as { query?: unknown };
    return typeof query === 'string' ? [query] : [];
  });
}

/** Comments and strings may hold any word. */
const asksOnly = (document: string): boolean => {
  const code = document.replace(/"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|#[^\n]*/g, ' ');
  return /^\s*(?:query\b|\{|fragment\b)/.test(code) && !/\b(?:mutation|subscription)\b/.test(code);
};
