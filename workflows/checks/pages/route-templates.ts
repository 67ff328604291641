import { parseJson } from '../../model/json.ts';
import type { Surface } from '../../model/surface.ts';
import { readAddress } from '../../probe/gate/urls.ts';
import { normaliseRoute } from '../../probe/routes.ts';
import { leadSource } from '../../survey/lead.ts';
import { addressesIn } from '../sessions/objects.ts';

/**
 * A route of a site by its path, with names for what stands for an identifier: "/api/invoices/{orderId}/lines",
 * "/invoice?id={id}". What has no such place is a page, not a route of objects.
 */
export type RouteTemplate = string;

/** Routes of a source, and roughly how many were beyond the limit. */
export type Routes = { routes: RouteTemplate[]; left: number };

const maxRoutes = 100;
/** What is written like a route, and looked at whether it is one. */
const maxWritten = 5_000;
const maxSourceLength = 2 * 1024 * 1024;
const maxPrefixes = 3;

/** An expression as people put it into an address; the last name in it says what it is. */
const expression = String.raw`[\w$.?![\]]{1,60}(?:\([\w$.?![\], ]{0,60}\))?`;
const literals = [
  // `${base}/invoices/${id}`
  /`([^`\n]{2,300})`/g,
  // '/invoices/' + id + '/lines'
  new RegExp(
    `(?:"(/[^"\\n]{0,200})"|'(/[^'\\n]{0,200})')((?:\\s{0,3}\\+\\s{0,20}(?:${expression}|"[^"\\n]{0,100}"|'[^'\\n]{0,100}')){1,6})`,
    'g',
  ),
  // '/invoices/:id', "/invoices/{id}", "/invoices/<int:id>"
  /["'](\/[^"'\n\s]{0,200}(?::[a-z_]\w*|\{\w+\}|<(?:\w+:)?\w+>|\[\w+\])[^"'\n\s]{0,100})["']/gi,
  // GET /invoices/{id}, in a comment
  /\bGET\s+(\/[\w\-./]{1,200}\{\w+\}[\w\-./{}]{0,100})/g,
];

/** Where a program says which address its routes are relative to. */
const prefixPattern =
  /(?:base_?(?:url|path)|api_?(?:base|root|url|prefix|path)|prefix_?url|endpoint)\w{0,20}["']?\s{0,3}[:=]\s{0,3}["'`]((?:https?:\/\/[\w.:-]{1,100})?\/[\w\-./]{0,60})["'`]/gi;

/**
 * Routes in the source of a client, also those relative to an address that it names elsewhere.
 * @param origin of the site: routes of others are left out
 */
export function routesInSources(sources: readonly string[], origin: string): Routes {
  const texts = sources.map((source) => source.slice(0, maxSourceLength));
  const all = prefixesIn(texts, origin);
  const prefixes = all.slice(0, maxPrefixes);
  const written = [...new Set(texts.flatMap((text) => [...writtenIn(text, origin)]))];
  const found = new Set<RouteTemplate>();
  for (const path of written.slice(0, maxWritten)) {
    for (const prefix of ['', ...prefixes]) {
      const route = cleaned(path.startsWith(`${prefix}/`) && prefix !== '' ? path : prefix + path);
      if (route !== undefined) found.add(route);
    }
  }
  const cut = sources.filter((source) => source.length > maxSourceLength).length;
  const unread = Math.max(0, written.length - maxWritten) + cut;
  // Below each prefix that is left there may be as many routes as below the others.
  const below = Math.ceil((found.size * (all.length - prefixes.length)) / (prefixes.length + 1));
  return withinBound([...found], unread + below);
}

const withinBound = (routes: readonly RouteTemplate[], left: number): Routes => ({
  routes: routes.slice(0, maxRoutes),
  left: left + Math.max(0, routes.length - maxRoutes),
});

function prefixesIn(texts: readonly string[], origin: string): string[] {
  const given = texts.flatMap((text) => [...text.matchAll(prefixPattern)].map(([, value = '']) => value));
  const paths = given.flatMap((value) => {
    const url = URL.parse(value, origin);
    return url?.origin === origin ? url.pathname.replace(/(?<!\/)\/+$/, '') : [];
  });
  return [...new Set(paths)].filter((path) => path !== '');
}

function* writtenIn(text: string, origin: string): Generator<string> {
  const [template, sum, ...whole] = literals;
  if (template) for (const [, content = ''] of text.matchAll(template)) yield fromTemplate(content, origin);
  if (sum)
    for (const [, double, single, rest = ''] of text.matchAll(sum)) yield (double ?? single ?? '') + fromSum(rest);
  for (const pattern of whole) for (const [, path = ''] of text.matchAll(pattern)) yield fromPath(path);
}

/** What a template literal begins with is a base address more often than an identifier. */
function fromTemplate(content: string, origin: string): string {
  const path = content.startsWith(`${origin}/`) ? content.slice(origin.length) : content;
  return path
    .replace(/^\$\{[^{}`]{1,80}\}(?=\/)/, '')
    .replace(/\$\{([^{}`]{1,120})\}/g, (_whole, inner: string) => placeholder(inner));
}

function fromSum(rest: string): string {
  const parts = rest.match(new RegExp(`"[^"]*"|'[^']*'|${expression}`, 'g')) ?? [];
  return parts.map((part) => (/^["']/.test(part) ? part.slice(1, -1) : placeholder(part))).join('');
}

const fromPath = (path: string): string =>
  path.replace(/:([a-z_]\w*)\??|<(?:\w+:)?(\w+)>|\[(\w+)\]/gi, (_whole, a?: string, b?: string, c?: string) =>
    placeholder(a ?? b ?? c ?? ''),
  );

const placeholder = (inner: string): string => `{${inner.match(/[a-z_]\w*/gi)?.at(-1) ?? 'id'}}`;

const files = /\.(?:m?js|css|map|png|jpe?g|gif|svg|webp|ico|woff2?|html?)(?:[?#]|$)/i;

/** A route that can be asked for without doing anything; undefined for what is none. */
function cleaned(route: string): RouteTemplate | undefined {
  const [path = ''] = route.replace(/\/{2,}/g, '/').split('#');
  const isRoute = /^\/[\w\-.~][\w\-.~/{}?=&]*$/.test(path) && /\{\w+\}/.test(path);
  const isFilled = /(?:^|[/=.-])\{\w+\}(?:$|[/?&.-])/.test(path);
  if (!isRoute || !isFilled || path.length > 300 || files.test(path)) return undefined;
  // Identifiers are what they stand for.
  return readAddress(`http://any.invalid${path.replace(/\{\w+\}/g, '1')}`).acting === undefined ? path : undefined;
}

type OpenApiRoutes = { servers?: unknown; basePath?: unknown; paths?: unknown };

/** Routes that an OpenAPI document (2.0 or 3.x, JSON) or its YAML says can be read. @param url of the document */
export function routesInDescription(text: string, url: string): Routes {
  const described = parse(text);
  const base = described ? baseOf(described, url) : '';
  const paths = described ? readable(described.paths) : readableInYaml(text);
  const routes = base === undefined ? [] : paths.flatMap((path) => cleaned(base + path) ?? []);
  const cut = described || text.length <= maxSourceLength ? 0 : 1;
  return withinBound([...new Set(routes)], cut);
}

function parse(text: string): OpenApiRoutes | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The first server counts. Undefined when it is another host. */
function baseOf({ servers, basePath }: OpenApiRoutes, url: string): string | undefined {
  const [first] = Array.isArray(servers) ? (servers as unknown[]) : [];
  const given = isObject(first) ? first.url : basePath;
  if (typeof given !== 'string' || given.includes('{')) return '';
  const base = URL.parse(given, url);
  return base?.origin === new URL(url).origin ? base.pathname.replace(/(?<!\/)\/+$/, '') : undefined;
}

function readable(paths: unknown): string[] {
  if (!isObject(paths)) return [];
  return Object.entries(paths).flatMap(([path, item]) => {
    if (!isObject(item) || !isObject(item.get)) return [];
    const given = [item.parameters, item.get.parameters].flatMap((list) => (Array.isArray(list) ? list : []));
    const names = given.flatMap((each: unknown) => (isObject(each) && each.in === 'query' ? String(each.name) : []));
    const identifier = names.find((name) => identifierName.test(name));
    return path.includes('{') || identifier === undefined ? path : `${path}?${identifier}={${identifier}}`;
  });
}

/** A parameter of the query that names an object. */
const identifierName = /^(?:\w*[_-])?(?:id|uuid|ref|reference|number|no)$|^\w+(?:Id|ID|Uuid|Ref|Number|No)$/;

/** Paths as block mappings have them, with `get` one level below. */
function readableInYaml(text: string): string[] {
  const [, block = ''] =
    /^paths:[ \t]*\r?\n((?:[ \t]+.*(?:\r?\n|$)|\s*\r?\n|#.*\r?\n)*)/m.exec(text.slice(0, maxSourceLength)) ?? [];
  const found: string[] = [];
  let path = '';
  for (const line of block.split('\n')) {
    const [, named] = /^\s+["']?(\/[^\s"']*)["']?:\s*$/.exec(line) ?? [];
    path = named ?? path;
    if (path !== '' && /^\s+get:/.test(line)) found.push(path);
  }
  return found;
}

/** Routes of which none of these visitors was pointed to an object. */
export function unlinked(routes: readonly RouteTemplate[], surfaces: readonly Surface[]): RouteTemplate[] {
  const seen = new Set(surfaces.flatMap((surface) => [...addressesIn(withoutDescribed(surface))].map(shapeOf)));
  return routes.filter((route) => !seen.has(shapeOf(`http://any.invalid${filled(route, () => '1')}`)));
}

/** What a description alone names nobody was pointed to. */
export const withoutDescribed = (surface: Surface): Surface => ({
  ...surface,
  pages: surface.pages.filter(({ source }) => source !== leadSource.document),
  inputs: surface.inputs.filter(({ isDescribed }) => !isDescribed),
});

/** Normalised path and names of the query. */
const shapeOf = (url: string): string => {
  const { pathname, searchParams } = new URL(url);
  return [normaliseRoute(pathname).replaceAll(/\{\w+\}/g, '{}'), ...new Set([...searchParams.keys()].sort())].join(' ');
};

/** The path with values in its places. @param valueFor gives the value for a name */
export const filled = (route: RouteTemplate, valueFor: (name: string) => string): string =>
  route.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(valueFor(name)));
