import { percentDecodedOrSame } from '../../../kit/percent.ts';
import type { CallSurface, Surface } from '../../model/surface.ts';
import { graphQlAddress, isGraphQlAddress } from '../../probe/graphql-address.ts';
import { partRoute } from '../../probe/program-parts.ts';
import { normaliseRoute } from '../../probe/routes.ts';
import { isDigestOfNumber } from './neighbour-ids.ts';
import { queriedBy, withVariable } from './query-variables.ts';

/** An address that names one object of a kind by an identifier, for instance "/orders/17" or "/order?id=17". */
export type ObjectAddress = {
  url: string;
  /** Its path, with placeholders for what names things and the part that a parameter chooses. */
  route: string;
  /** The same for all objects of the kind. */
  kind: string;
  /** Its value, decoded. */
  identifier: string;
  parameter: string;
  in: 'path' | 'query';
};

const identifier =
  /^(?:\d{1,20}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{16,64}|(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{8,40})$/i;
/** Codes such as "T71A4f09c1": letters and digits, shorter than what is a placeholder in the routes of a surface. */
const shortCode = /^(?=[a-z-]*\d)(?=[\d-]*[a-z])[a-z0-9-]{8,40}$/i;
/** Numbers that turn pages or choose a view, and words that are looked for, which may be ours. */
const notIdentifiers =
  /^(?:page|p|offset|limit|size|per_?page|start|count|year|month|day|v|version|_|t|ts|sort|order|tab|step|q|s|query|search(?:_?(?:text|term|word|query))?|keywords?|terms?|find|filter)$/i;

/** Nobody turns pages or looks for something by these; versions of files are such. */
const digest = /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32,64})$/i;
const versionNames = /^(?:v|version|_|ts?)$/i;
/** "t" may be a time or a ticket: "ticket:31" in base64 says which. */
const isLetter = /^[a-z]$/i;
const isOther = (name: string, value: string): boolean =>
  notIdentifiers.test(name) &&
  (versionNames.test(name) || !digest.test(value)) &&
  !(isLetter.test(name) && isEncodedNumber(value) && !isPosition(value));

/** "r_1043", "INV-77": a number behind a few letters that say of what kind it is. */
const prefixed = /^[a-z]{1,10}[-_]\d{2,15}$/i;

/** Whether a value can name an object. */
export const isIdentifier = (value: string): boolean =>
  identifier.test(value) || prefixed.test(value) || isEncodedNumber(value);

/** "MTA0Mg" is 1042 in base64, "dXNlcjozMQ==" is "user:31" and "MzE6MjAyNi0wMw==" is "31:2026-03"; no word reads as that. */
function isEncodedNumber(value: string): boolean {
  if (!/^[\w+/-]{2,64}={0,2}$/.test(value)) return false;
  const plain = Buffer.from(value, 'base64').toString('latin1');
  const bare = (text: string) => text.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/');
  return (
    /^(?:[a-z][a-z ._-]{1,30}[:=#/|_-])?\d{1,15}(?:[:=#/|._-]\d{1,15}){0,3}$/i.test(plain) &&
    bare(btoa(plain)) === bare(value)
  );
}

/** How far a list was turned: "offset:20". */
const isPosition = (value: string): boolean =>
  /^(?:\d|(?:offset|page|skip|start|cursor|array\s?connection|after|before|index|row)\b)/i.test(
    Buffer.from(value, 'base64').toString('latin1'),
  );

/** RFC 5321 allows more; these are what people have. */
const mailAddress = /^[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}$/;
const documentName = /^(?=.{5,80}$)[\w@.-]+\.(?:txt|pdf|csv|json|xml|html?|md|log|docx?|xlsx?|ics|vcf|eml)$/i;
/** Parameters that hold whom something is of. */
const personParameter =
  /^(?:user|user_?name|login|account|owner|member|customer|client|patient|student|employee|person|nick(?:name)?|handle)$/i;
const personWord = /^[a-z][\w.-]{2,39}$/i;

/** "user:31" or {"id":31} in base64. */
function isEncodedName(value: string): boolean {
  if (!/^[\w+/-]{6,200}={0,2}$/.test(value)) return false;
  const plain = Buffer.from(value, 'base64').toString('latin1');
  const again = Buffer.from(plain, 'latin1').toString('base64').replace(/=+$/, '');
  return /^[\x20-\x7e]+$/.test(plain) && /\d/.test(plain) && again === value.replace(/=+$/, '');
}

/** Whether the parameter says by its name that its value is somebody. */
export const namesPerson = ({ parameter, in: place }: Pick<ObjectAddress, 'parameter' | 'in'>): boolean =>
  place === 'query' && personParameter.test(parameter);

/** Whether a parameter names an object: besides identifiers, by an address, a file, or whose it is. */
const namesObject = (name: string, value: string): boolean =>
  isIdentifier(value) ||
  mailAddress.test(value) ||
  documentName.test(value) ||
  isEncodedName(value) ||
  (personParameter.test(name) && personWord.test(value));

const keyParameter =
  /^(?:share|shared?[-_]?(?:id|key|link)|invite|invitation|link|key|token|sig|signature|secret|access)$/i;
const randomKey = /^(?:[0-9a-f-]{20,64}|(?=\S*\d)[\w-]{20,})$/i;

/** Whether the address opens to everybody who has it, and its random part is the key: a link for sharing, by its parameter's name. */
export const isKey = ({ parameter, identifier: value, in: place }: ObjectAddress): boolean =>
  place === 'query' && keyParameter.test(parameter) && randomKey.test(value) && !isDigestOfNumber(value);

/** Objects that a visitor was shown or pointed to, fetched or not, each once. */
export function objectsIn(surface: Surface): ObjectAddress[] {
  const found = new Map<string, ObjectAddress>();
  for (const url of addressesIn(surface)) {
    const object = objectAt(url);
    if (object) found.set(object.url, object);
  }
  return [...found.values()];
}

/** Everything of the audited host that the visitor's pages link to, and that their scripts ask for. */
export function addressesIn(surface: Surface): Set<string> {
  const { pages, skipped, inputs } = surface;
  const { hostname } = new URL(surface.url);
  const fetched = pages.filter(({ status }) => status < 400).map(({ url }) => url);
  const linked = [...skipped, ...inputs.filter(({ method }) => method === 'GET'), ...readCalls(surface)].map(
    ({ url }) => url,
  );
  const own = [...fetched, ...linked].filter((url) => URL.parse(url)?.hostname === hostname);
  return new Set(own.map(withoutFragment));
}

/** Addresses that a document describes and nothing else names: what stands for their parameters nobody was shown. */
export function describedAddresses(surface: Surface): Set<string> {
  const described = surface.inputs.filter(({ isDescribed, in: place }) => isDescribed && place === 'path');
  const named = new Set([...surface.skipped, ...readCalls(surface)].map(({ url }) => url));
  return new Set(described.map(({ url }) => url).filter((url) => !named.has(url)));
}

/** What the scripts of pages read of the site; queries of GraphQL that they post by the addresses that stand for them. */
export const readCalls = ({ calls, url: target }: Surface): CallSurface[] =>
  calls
    .filter(({ url, held }) => !held && URL.parse(url)?.origin === new URL(target).origin)
    .flatMap((call): CallSurface[] => {
      if (call.method === 'GET') return [call];
      const query = call.method === 'POST' ? graphQlAddress(call.url, call.body ?? '') : undefined;
      return query === undefined ? [] : [{ ...call, method: 'GET', url: query }];
    });

const withoutFragment = (url: string): string => url.replace(/#.*$/s, '');

/** The last identifier of an address: "/users/3/orders/17" is about an order. */
function objectAt(url: string): ObjectAddress | undefined {
  const { pathname, searchParams } = new URL(url);
  if (isGraphQlAddress(url)) return queriedObject(url);
  const names = [...searchParams.keys()].sort();
  const named = [...searchParams].find(([name, value]) => namesObject(name, value) && !isOther(name, value));
  if (named) {
    const route = partRoute(url);
    return { url, route, kind: [route, ...names].join(' '), identifier: named[1], parameter: named[0], in: 'query' };
  }
  const segments = pathname.split('/').filter((segment) => segment !== '');
  const values = segments.map((segment) => percentDecodedOrSame(segment).replace(/\.\w{1,5}$/, ''));
  const routed = normaliseRoute(url)
    .split('/')
    .slice(1)
    .map((segment, index) => (isCode(segment, values[index]) ? '{id}' : segment));
  const last = routed.findLastIndex((segment) => segment.includes('{'));
  const value = values[last] ?? '';
  if (last === -1) return documentAt(url, names);
  if (!isIdentifier(value)) return undefined;
  const route = `/${routed.join('/')}`;
  return { url, route, kind: [route, ...names].join(' '), identifier: value, parameter: String(last + 1), in: 'path' };
}

/** What a query of GraphQL is for that is given one identifier, as a variable. */
export function queriedObject(url: string): ObjectAddress | undefined {
  const { field, value = '' } = queriedBy(url) ?? {};
  if (field === undefined || !isIdentifier(value)) return undefined;
  const route = `${normaliseRoute(url)}/${field}/{id}`;
  return { url, route, kind: route, identifier: value, parameter: 'variables', in: 'query' };
}

/** A document that stands in a folder under its name. */
function documentAt(url: string, names: readonly string[]): ObjectAddress | undefined {
  const segments = new URL(url).pathname.split('/').map(percentDecodedOrSame);
  const identifier = segments.at(-1) ?? '';
  if (!documentName.test(identifier) || segments.length < 3) return undefined;
  const route = [...segments.slice(0, -1), '{file}'].join('/');
  const parameter = String(segments.length - 1);
  return { url, route, kind: [route, ...names].join(' '), identifier, parameter, in: 'path' };
}

/** What stands in the place of an identifier and is no placeholder in routes. */
const isCode = (segment: string, value = ''): boolean =>
  !segment.includes('{') && (shortCode.test(value) || isEncodedNumber(value));

/** The address of an object with another identifier in its place. */
export function addressOfObject(
  url: string,
  place: 'path' | 'query',
  parameter: string,
  from: string,
  to: string,
): string {
  const address = new URL(url);
  if (place === 'query') {
    const given = address.searchParams.get(parameter) ?? '';
    address.searchParams.set(parameter, isGraphQlAddress(url) ? withVariable(given, from, to) : to);
    return address.href;
  }
  const segments = address.pathname.split('/');
  const at = segments.findLastIndex((segment) => percentDecodedOrSame(segment).replace(/\.\w{1,5}$/, '') === from);
  const ending = /\.\w{1,5}$/.exec(segments[at] ?? '')?.[0] ?? '';
  address.pathname = segments.with(at, encodeURIComponent(to) + ending).join('/');
  return address.href;
}
