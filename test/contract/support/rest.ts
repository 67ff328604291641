import { requireDocumented } from './documented.ts';
import type { Ask, Outcome } from './operations.ts';
import { bodyFields, endpoints } from './operations.ts';

/** Members of problem details that are texts or repeat the status: a gRPC refusal says them in its own way. */
const texts = ['type', 'title', 'status', 'detail', 'code', 'requestId'];

/** A client of the REST API that knows nothing of protobuf. */
export function askRest(baseUrl: string): Ask {
  return async (operation, request = {}, { key, headers = {} } = {}) => {
    const [method, path, bodyField] = bodyFields[operation] ?? endpoints[operation] ?? [];
    if (!method || !path) throw new Error(`${operation} has no endpoint`);
    const rest = new Map(Object.entries(request));
    const filled = path.replace(/:(\w+)/g, (_, name) => {
      const value = encodeURIComponent(String(rest.get(name)));
      rest.delete(name);
      return value;
    });
    const hasBody = ['POST', 'PUT', 'PATCH'].includes(method);
    const body = bodyField ? rest.get(bodyField) : Object.fromEntries(rest);
    const answer = await fetch(`${baseUrl}${filled}${hasBody ? '' : queryOf(rest)}`, {
      method,
      headers: {
        ...(hasBody && { 'content-type': 'application/json' }),
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...headers,
      },
      ...(hasBody && { body: JSON.stringify(body) }),
    });
    const outcome = await outcomeOf(answer);
    requireDocumented(method, path, answer, outcome.text);
    return outcome;
  };
}

function queryOf(parameters: Map<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of parameters) for (const one of [value].flat()) query.append(name, String(one));
  return query.size > 0 ? `?${query}` : '';
}

export async function outcomeOf(answer: Response): Promise<Outcome> {
  const text = await answer.text();
  const type = answer.headers.get('content-type') ?? '';
  const json: unknown = /json/.test(type) ? JSON.parse(text) : text;
  const header = (name: string) => answer.headers.get(name) ?? undefined;
  if (answer.ok) return { status: answer.status, reason: 'OK', body: json, text, header };
  if (!type.startsWith('application/problem+json')) throw new Error(`${answer.status} is no problem: ${type} ${text}`);
  const problem = json as Record<string, unknown>;
  const body = Object.fromEntries(Object.entries(problem).filter(([name]) => !texts.includes(name)));
  return { status: answer.status, reason: String(problem.code).toUpperCase(), body, text, header };
}
