import { parseJson } from '../model/json.ts';
import type { InputSurface } from '../model/surface.ts';
import { graphQlAddress } from '../probe/graphql-address.ts';
import { normaliseRoute } from '../probe/routes.ts';
import { scopeOf } from '../probe/scope.ts';
import { refusedByDocument } from './documented-acts.ts';
import type { Documented } from './documented-request.ts';
import type { Frontier } from './frontier.ts';
import type { InputList } from './inputs.ts';
import { leadSource } from './lead.ts';

/** What a document says of a request. */
type DescribedRequest = Omit<Documented, 'url'> & { urls: readonly string[] };

/** What documents describe, by whether a scan may send it. */
export type DocumentedScope = { inside: Documented[]; outside: { host: string; requests: number }[] };

/**
 * @param target URL that is audited
 * @param isSeen whether what is audited has shown something at a path, whose parameters stand in braces
 */
export function documentedScope(
  requests: readonly DescribedRequest[],
  target: string,
  isSeen: (path: string) => boolean = () => false,
): DocumentedScope {
  const scope = scopeOf(target);
  const addresses = requests.flatMap(({ urls }) => urls.flatMap((url) => partsOf(url) ?? []));
  const own = new Set(addresses.flatMap(({ host, path }) => (isOfAuthor(host) || isSeen(path) ? host : [])));
  const belowOwn = (url: string): string[] => {
    const parts = partsOf(url);
    return parts && own.has(parts.host) ? [parts.path || '/'] : [];
  };
  const inside: Documented[] = [];
  const outside = new Map<string, number>();
  for (const { urls, ...request } of requests) {
    const url = urls.find((each) => each.startsWith('/') || scope.coversUrl(each)) ?? urls.flatMap(belowOwn)[0];
    if (url !== undefined) inside.push({ ...request, url });
    else {
      const host = URL.parse(urls[0] ?? '')?.host ?? '';
      outside.set(host, (outside.get(host) ?? 0) + 1);
    }
  }
  return { inside, outside: [...outside].map(([host, requests]) => ({ host, requests })) };
}

function partsOf(address: string): { host: string; path: string } | undefined {
  const [, host, path = ''] = /^https?:\/\/([^/?#]*?)(?::\d+)?(?=[/?#]|$)([^?#]*)/i.exec(address) ?? [];
  return host === undefined ? undefined : { host: host.toLowerCase(), path };
}

/** Its author's own machine: what was described there is of whatever answers here. Sources: RFC 6761 §6.3, RFC 6890 §2.2.2. */
const isOfAuthor = (host: string): boolean => /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(host);

/** Whether sending it only shows something. Source: RFC 9110 §9.2.1. */
export const isReading = ({ method }: Pick<Documented, 'method'>): boolean => method === 'GET' || method === 'HEAD';

/** Gives the crawler what is only read, with the values of the document, and the checks the places that take input. */
export function addDocumented(
  documented: readonly Documented[],
  origin: string,
  frontier: Frontier,
  inputs: InputList,
): void {
  for (const request of documented) {
    const template = request.url.startsWith('/') ? origin + request.url : request.url;
    const url = filled(template, request);
    if (!URL.canParse(url)) continue;
    const refused = isReading(request) ? refusedByDocument(request) : undefined;
    if (isReading(request)) frontier.add({ url, source: leadSource.document }, refused);
    if (refused) continue;
    const query = graphQlAddress(url, request.body);
    // What takes nothing only shows something.
    if (query !== undefined && !isGiven(request.body)) frontier.add({ url: query, source: leadSource.document });
    else if (!isReading(request) && request.body !== '') inputs.addBody({ ...request, url, route: routeOf(template) });
    else for (const input of inputsOf(request, template, url)) inputs.add({ ...input, isDescribed: true });
  }
}

const isGiven = (body: string): boolean => {
  const { variables } = Object(parseJson(body)) as { variables?: unknown };
  return Object.keys(Object(variables)).length > 0;
};

/** Headers that decide how a request is read, or let somebody in. */
const ownHeaders =
  /^(?:accept(?:-.*)?|connection|content-.*|cookie|expect|host|if-.*|origin|range|te|trailer|transfer-encoding|upgrade|.*(?:auth|token|key|secret|session|signature).*)$/i;

type Parameters = Documented['parameters'];
const of = (place: string, parameters: Parameters) => parameters.filter((each) => each.in === place);

/** The address with samples in the place of parameters; what has none is left out of the query. */
function filled(template: string, { parameters }: Documented): string {
  const samples = new Map(of('path', parameters).map(({ name, sample }) => [name, sample]));
  const path = template.replace(/\{([^{}/]*)\}/g, (_, name) => encodeURIComponent(samples.get(name) || '1'));
  const query = of('query', parameters).filter(({ sample }) => sample !== '');
  const search = query.map(({ name, sample }) => `${encodeURIComponent(name)}=${encodeURIComponent(sample)}`);
  return search.length === 0 ? path : `${path}?${search.join('&')}`;
}

/** The route, with the parts that are parameters as such: a sample may be a word. */
const routeOf = (template: string): string => normaliseRoute(template.replace(/\{[^{}/]*\}/g, '{id}'));

/** Reads take input in path, query, headers and cookies; a POST in its body, where the checks see for themselves whether they may try it. */
function inputsOf(
  { method, parameters, contentType, title }: Documented,
  template: string,
  url: string,
): InputSurface[] {
  const route = routeOf(template);
  const pairs = (list: Parameters, own: string) =>
    list.filter(({ name }) => name !== own).map(({ name, sample }) => ({ name, value: sample }));
  if (method === 'POST') {
    const body = of('body', parameters);
    return body.map(({ name, sample }) => ({
      ...{ method, url, route, parameter: name, in: 'body', sample, others: pairs(body, name), contentType, title },
    }));
  }
  if (method !== 'GET') return [];
  const query = of('query', parameters);
  return [
    ...query.map(({ name, sample }) => ({
      ...{ method, url, route, parameter: name, in: 'query' as const, sample, others: pairs(query, name) },
    })),
    ...pathInputs(template, parameters).map(({ parameter, sample }) => ({
      ...{ method, url, route, parameter, in: 'path' as const, sample, others: [] },
    })),
    ...(['header', 'cookie'] as const).flatMap((place) =>
      of(place, parameters)
        .filter(({ name }) => !ownHeaders.test(name))
        .map(({ name, sample }) => ({ method, url, route, parameter: name, in: place, sample, others: [] })),
    ),
  ];
}

/** Segments that are a parameter as a whole, by their number from 1. */
function pathInputs(template: string, parameters: Parameters): { parameter: string; sample: string }[] {
  const segments = template
    .replace(/^[a-z]+:\/\/[^/]*/i, '')
    .split('/')
    .filter((segment) => segment !== '');
  return segments.flatMap((segment, index) => {
    const [, name] = /^\{([^{}]*)\}$/.exec(segment) ?? [];
    if (name === undefined) return [];
    const sample = of('path', parameters).find((each) => each.name === name)?.sample || '1';
    return [{ parameter: String(index + 1), sample }];
  });
}
