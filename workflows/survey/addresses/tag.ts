import { parseJson } from '../../model/json.ts';
import { isPaddedBase64 } from './base64.ts';
import { addressesInCss } from './css.ts';
import { addressesInJson } from './json.ts';

/** Addresses that a tag holds, besides those of links, forms and scripts. */
type TagAddresses = {
  urls: string[];
  /** HTML that an attribute holds. */
  html: string[];
};

/** Attributes whose value is one address. Source: HTML standard, index of attributes, and those of HTML 4 and of older browsers. */
const single = new Set([
  ...['src', 'data', 'poster', 'cite', 'longdesc', 'usemap', 'manifest', 'formaction', 'icon', 'itemid'],
  ...[
    'background',
    'codebase',
    'code',
    'classid',
    'profile',
    'lowsrc',
    'dynsrc',
    'implementation',
    'xlink:href',
    'href',
  ],
]);
/** Of several, between spaces or commas. */
const several = new Set(['ping', 'archive', 'attributionsrc', 'itemtype']);
const sets = new Set(['srcset', 'imagesrcset']);
/** Of these, a value that is too long for an address is reported where addresses are followed. */
const named = new Set([...single, ...several, ...sets]);
/** Elements whose `action` is no form's. */
const acting = new Set(['isindex']);
/** Names of attributes that only describe something, name an element of the page, or whose request is not a GET. */
const others =
  /^(?:on|xmlns|aria-|class$|for$|form$|list$|headers$|itemref$|id$|name$|style$|content$|value$|alt$|title$|d$|points$|integrity$|action$|(?:[\w-]+[-:])?(?:post|put|patch|delete)(?:$|-)|.*(?:delete|remove|post|method|confirm))/;
/** A value that can only be an address: below the root, or from the page on, or with its host. */
const isAddress = /^(?:https?:)?\/\/?[\w~][^\s<>"'{}|\\^`]*$|^\.{1,2}\/[^\s<>"'{}|\\^`]+$/i;
const maxValueLength = 2_048;
/** What a page hands to its script in an attribute. */
const handedOver = /^(?:\{\s*"|\[\s*[{"])/;
const maxHandedOver = 512 * 1024;

/** Reads a tag's attributes, whatever their names: libraries make up their own. */
export function addressesOfTag(name: string, attributes: ReadonlyMap<string, string>): TagAddresses {
  const found: TagAddresses = { urls: [], html: [] };
  if (name === 'link' && mayCountAsOpened(attributes) && !isCodeAhead(attributes)) return found;
  for (const [attribute, given] of attributes) {
    const value = given.trim();
    if (value === '') continue;
    if (attribute === 'srcdoc') found.html.push(value);
    else if (handedOver.test(value) && value.length <= maxHandedOver)
      found.urls.push(...[...addressesInJson(jsonIn(value))].filter((address) => isAddress.test(address)));
    else if (attribute === 'style') found.urls.push(...addressesInCss(value));
    else if (value.length > maxValueLength && !named.has(attribute) && !/^data:/i.test(value)) continue;
    else if (/^data:[\w/+.-]*(?:html|svg|xml)/i.test(value)) found.html.push(decodedData(value));
    else if (sets.has(attribute)) found.urls.push(...value.split(',').map((part) => part.trim().split(/\s/)[0] ?? ''));
    else if (several.has(attribute)) found.urls.push(...value.split(/[\s,]+/));
    else if (single.has(attribute) || (attribute === 'action' && acting.has(name))) found.urls.push(value);
    else if (
      isAddress.test(value) &&
      !isPaddedBase64(value) &&
      (!others.test(attribute) || (attribute === 'value' && name === 'param'))
    )
      found.urls.push(value);
  }
  if (name === 'meta') addMeta(found, attributes);
  return found;
}

const jsonIn = (value: string): unknown => {
  try {
    return parseJson(value);
  } catch {
    return undefined;
  }
};

/** What is fetched ahead nobody has asked for: where it names one of many things, that may count as opened. */
const mayCountAsOpened = (attributes: ReadonlyMap<string, string>): boolean =>
  /\b(?:prefetch|prerender|next|preload)\b/i.test(attributes.get('rel') ?? '') &&
  /[?\d]/.test(attributes.get('href') ?? '');

const isCodeAhead = (attributes: ReadonlyMap<string, string>): boolean =>
  /^(?:script|style|font|image)$/i.test(attributes.get('as') ?? '');

/** What a meta element says, by what it is for: addresses, policies that name where to report to, and even HTML. */
function addMeta(found: TagAddresses, attributes: ReadonlyMap<string, string>): void {
  const content = (attributes.get('content') ?? '').trim().slice(0, maxValueLength);
  if (content.startsWith('<')) found.html.push(content);
  else if (isAddress.test(content)) found.urls.push(content);
  else found.urls.push(...addressesInPolicy(content));
  const [, uri] = /(?:action-uri|src|polling-uri\d?)=([^;\s]+)/i.exec(content) ?? [];
  if (uri !== undefined) found.urls.push(uri);
}

/** Where a Content-Security-Policy is reported to. */
export const addressesInPolicy = (policy: string): string[] =>
  [...policy.matchAll(/(?:^|;)\s*report-uri\s+([^;]+)/gi)].flatMap(([, list = '']) => list.trim().split(/\s+/));

function decodedData(value: string): string {
  const comma = value.indexOf(',');
  const [head, body] = [value.slice(0, comma), value.slice(comma + 1)];
  if (/;base64$/i.test(head)) return Buffer.from(body, 'base64').toString('utf8');
  const twice = body.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  return twice;
}
