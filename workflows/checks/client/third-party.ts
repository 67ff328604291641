import { parse } from 'tldts';
import { baseUrlOf } from '../../probe/html/base.ts';
import type { HtmlElement } from '../../probe/html/parse.ts';
import { attributeOf, isElement, isInTemplate, nodesOf, startTagOf } from '../../probe/html/tree.ts';
import { escapePattern } from '../../proof/pattern.ts';

/** An element that loads a script or a style sheet, as it stands in a page. */
export type LoadingElement = { url: string /** Its start tag, as it was sent. */; tag: string; integrity: string };

/** Script elements that a browser would load. What stands in a template or a comment is not loaded. */
export function loadedScripts(html: string, pageUrl: string): LoadingElement[] {
  const base = baseUrlOf(html, pageUrl);
  return [...nodesOf(html)].filter(isElement).flatMap((element) => {
    const source = element.tagName === 'script' && !isInert(element) ? sourceOf(element) : undefined;
    const url = source === undefined ? undefined : URL.parse(source.trim(), base);
    const tag = startTagOf(html, element);
    if (!url || tag === undefined || !/^https?:$/.test(url.protocol)) return [];
    return [{ url: url.href, tag, integrity: attributeOf(element, 'integrity') ?? '' }];
  });
}

/** Scripts inside of SVG have their own attribute. Source: SVG 2 §15.9. */
const sourceOf = (element: HtmlElement): string | undefined =>
  /svg/.test(element.namespaceURI) ? attributeOf(element, 'href') : attributeOf(element, 'src');

/** Style sheets that a browser would load. */
export const loadedStyles = (html: string, pageUrl: string): LoadingElement[] => linksOf(html, pageUrl, ['stylesheet']);

/** Style sheets that a browser would load, and scripts that it is to fetch beforehand. */
export const loadedLinks = (html: string, pageUrl: string): LoadingElement[] =>
  linksOf(html, pageUrl, ['stylesheet', 'modulepreload']);

function linksOf(html: string, pageUrl: string, wanted: readonly string[]): LoadingElement[] {
  const base = baseUrlOf(html, pageUrl);
  return [...nodesOf(html)].filter(isElement).flatMap((element) => {
    if (element.tagName !== 'link' || isInTemplate(element)) return [];
    const relations = (attributeOf(element, 'rel') ?? '').toLowerCase().split(/\s+/);
    const isLoaded = relations.some((relation) => wanted.includes(relation));
    const url = isLoaded ? URL.parse(attributeOf(element, 'href')?.trim() ?? '', base) : undefined;
    const tag = startTagOf(html, element);
    if (!url || tag === undefined || !/^https?:$/.test(url.protocol)) return [];
    return [{ url: url.href, tag, integrity: attributeOf(element, 'integrity') ?? '' }];
  });
}

/** Scripts of other types are data, and the content of a template is not part of the page. */
function isInert(element: HtmlElement): boolean {
  const type = attributeOf(element, 'type')?.trim().toLowerCase() ?? '';
  if (type !== '' && type !== 'module' && !/^(?:text|application)\/(?:x-)?(?:java|ecma)script$/.test(type)) return true;
  return isInTemplate(element);
}

/** Finds a tag again; the nonce of a policy is new in every answer. */
export const tagPattern = (tag: string): string =>
  tag
    .split(/(?<=\bnonce=)(["'])[^"']*\1/)
    .map((part) => (part === '"' || part === "'" ? `${part}[^"']*${part}` : escapePattern(part)))
    .join('');

/** Of another owner: another registrable domain, by the Public Suffix List. */
export function isThirdParty(url: string, pageUrl: string): boolean {
  const options = { allowPrivateDomains: true };
  const [theirs, ours] = [parse(url, options), parse(pageUrl, options)];
  return theirs.hostname !== ours.hostname && (theirs.domain ?? theirs.hostname) !== (ours.domain ?? ours.hostname);
}

/** Hosts that serve files of libraries which never change under their address. */
const libraryHosts =
  /^(?:cdnjs\.cloudflare\.com|(?:cdn|fastly|gcore|testingcf)\.jsdelivr\.net|unpkg\.com|code\.jquery\.com|ajax\.(?:googleapis|aspnetcdn)\.com|lib\.baomitu\.com|(?:maxcdn|stackpath|netdna)\.bootstrapcdn\.com|cdn\.bootcdn\.net|cdn\.bootcss\.com|esm\.sh|code\.angularjs\.org|cdn\.datatables\.net|cdn\.staticfile\.(?:org|net)|use\.fontawesome\.com|pro\.fontawesome\.com)$/;

/**
 * A file of one full version on a host of libraries: its content never changes, so its hash can be pinned. Services such as
 * tag managers, payment and maps change theirs on purpose, and cannot be.
 */
export function isPinnedLibrary(url: string): boolean {
  const { hostname, pathname } = new URL(url);
  return libraryHosts.test(hostname) && /(?:^|[/@.v-])\d+\.\d+\.\d+(?:[/.-]|$)/.test(pathname);
}
