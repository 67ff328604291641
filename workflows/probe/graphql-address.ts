import { parseJson } from '../model/json.ts';
import { graphQlOperations } from './gate/graphql.ts';

/** Servers and proxies take lines of 8,000 characters (RFC 9112 §3). */
const maxLength = 4_000;

/**
 * The address at which a server of GraphQL answers what a request posts, where that only asks; undefined for other requests.
 * Source: GraphQL over HTTP, "GET".
 */
export function graphQlAddress(url: string, body: string): string | undefined {
  if (body.length > maxLength || graphQlOperations({ method: 'POST', url, headers: [] }, body) !== 'queries')
    return undefined;
  const { query, variables } = Object(parseJson(body)) as { query?: unknown; variables?: unknown };
  if (typeof query !== 'string') return undefined;
  const address = new URL(url);
  address.searchParams.set('query', query.replace(/\s+/g, ' ').trim());
  if (Object.keys(Object(variables)).length > 0) address.searchParams.set('variables', JSON.stringify(variables));
  return address.href.length > maxLength ? undefined : address.href;
}

/** Whether a page posts documents of GraphQL, whatever the address is called. */
export const asksGraphQl = ({ method, url, body = '' }: { method: string; url: string; body?: string }): boolean =>
  method === 'POST' && graphQlOperations({ method, url, headers: [] }, body) !== undefined;

/** Whether an address asks a query of GraphQL. */
export const isGraphQlAddress = (url: string): boolean =>
  /[?&]query=/.test(url) && graphQlOperations({ method: 'GET', url, headers: [] }, '') !== undefined;

/** What such an address is asked with: a foreign page cannot send it, so that servers which refuse those answer. Source: Apollo Server, "CSRF prevention". */
export const graphQlHeaders = (url: string): [string, string][] =>
  URL.parse(url)?.searchParams.has('query') ? [['Apollo-Require-Preflight', 'true']] : [];

/** What such an address stands for, of a server that answers queries only where they are posted. */
export function graphQlRequest(
  url: string,
): { method: 'POST'; url: string; headers: [string, string][]; body: string } | undefined {
  const address = URL.parse(url);
  const query = address?.searchParams.get('query');
  if (!address || !query || graphQlOperations({ method: 'GET', url, headers: [] }, '') !== 'queries') return undefined;
  const given = parseJson(address.searchParams.get('variables') ?? '');
  // Some servers end at variables that are no object.
  const variables = typeof given === 'object' && given !== null && !Array.isArray(given) ? given : undefined;
  return {
    ...{ method: 'POST', url: address.origin + address.pathname, headers: [['Content-Type', 'application/json']] },
    body: JSON.stringify({ query, ...(variables !== undefined && { variables }) }),
  };
}
