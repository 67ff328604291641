import type { HttpProbe, HttpRequest } from '../model/http.ts';
import { rootFieldsIn } from './gate/graphql.ts';
import { graphQlRequest } from './graphql-address.ts';

/** What a server answers that has no such page, or takes queries in no other way than posted. */
const refusing: ReadonlySet<number> = new Set([400, 404, 405, 501]);

/**
 * An instrument that posts what an address asks of GraphQL where the server answers no queries in addresses: what is known of such a
 * server by the address of a query can be asked for as any page.
 * @param posting places at which queries are posted, kept for all instruments of an activity
 */
export function withPostedQueries(http: HttpProbe, posting: Set<string>): HttpProbe {
  const send = async (request: HttpRequest) => {
    const posted = queryIn(request);
    if (!posted) return http.send(request);
    const asAddress = posting.has(posted.url) ? undefined : await http.send(request);
    if (asAddress && !refusing.has(asAddress.status)) return asAddress;
    const headers = [...(request.headers ?? []), ...posted.headers];
    const answer = await http.send({ ...request, ...posted, headers, isRepeatable: true });
    const isTaken = !refusing.has(answer.status);
    if (isTaken) posting.add(posted.url);
    return isTaken || !asAddress ? answer : asAddress;
  };
  return { ...http, send, get: (url, options) => send({ ...options, url }) };
}

function queryIn({ method = 'GET', url, body }: HttpRequest): ReturnType<typeof graphQlRequest> {
  if (method !== 'GET' || body !== undefined || !url.includes('query=')) return undefined;
  // A value that is tried may begin as a query does.
  const fields = rootFieldsIn(URL.parse(url)?.searchParams.get('query') ?? '');
  return fields === undefined ? undefined : graphQlRequest(url);
}
