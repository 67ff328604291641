import { parseJson } from '../../model/json.ts';
import type { InputSurface } from '../../model/surface.ts';
import { rootFieldsIn } from '../../probe/gate/graphql.ts';
import { graphQlAddress } from '../../probe/graphql-address.ts';
import type { RouteTemplate } from '../pages/route-templates.ts';

const identifying = /^(?:\w*_)?(?:id|uuid|number|no|ref|reference|code|slug)$|[a-z](?:Id|ID|Uuid|Number|Ref|Code)$/;

/**
 * Queries of GraphQL that are given one identifier, as the routes of addresses that stand for them. Of those that ask for the same,
 * as a page and a description do, the longest one: it is shown most.
 */
export function queriedRoutes(inputs: readonly InputSurface[]): RouteTemplate[] {
  const found = inputs.flatMap(({ method, url, json, sample }): [asked: string, RouteTemplate][] => {
    const [, name] = /^\/variables\/([^/]+)$/.exec(json?.pointer ?? '') ?? [];
    const root = json && method === 'POST' ? parseJson(json.body) : undefined;
    const { query, variables } = Object(root) as { query?: unknown; variables?: unknown };
    if (name === undefined || !identifying.test(name) || Object.keys(Object(variables)).length !== 1) return [];
    const address = graphQlAddress(url, JSON.stringify({ query, variables: { [name]: marked } }));
    if (address === undefined) return [];
    const isNumber = typeof Reflect.get(Object(variables), name) === 'number' && /^\d+$/.test(sample);
    const quoted = encodeURIComponent(`"${marked}"`);
    const route = address.slice(new URL(address).origin.length).replace(isNumber ? quoted : marked, '{id}');
    return [[`${url} ${rootFieldsIn(String(query))?.join('.') ?? route}`, route]];
  });
  const longestLast = found.toSorted(([, a], [, b]) => a.length - b.length);
  return [...new Map(longestLast).values()];
}

/** Where the identifier goes in. */
const marked = 'zqidentifierzq';
