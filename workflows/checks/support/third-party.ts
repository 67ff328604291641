import { parse } from 'tldts';
import { attributeOf, type Element, isElement, nodesOf } from './html.ts';

/** A script element as it stands in a page. */
export type ScriptElement = { url: string /** Its start tag, as it was sent. */; tag: string; integrity: string };

/** Script elements that a browser would load. What stands in a template or a comment is not loaded. */
export function loadedScripts(html: string, pageUrl: string): ScriptElement[] {
  const elements = [...nodesOf(html)].filter(isElement);
  const base = elements.find(({ tagName }) => tagName === 'base');
  const baseUrl = URL.parse((base && attributeOf(base, 'href')) ?? '', pageUrl)?.href ?? pageUrl;
  return elements.flatMap((element) => {
    const source = element.tagName === 'script' && !isInert(element) ? attributeOf(element, 'src') : undefined;
    const url = source === undefined ? undefined : URL.parse(source.trim(), baseUrl);
    const place = element.sourceCodeLocation?.startTag;
    if (!url || !place || !/^https?:$/.test(url.protocol)) return [];
    const tag = html.slice(place.startOffset, place.endOffset);
    return [{ url: url.href, tag, integrity: attributeOf(element, 'integrity') ?? '' }];
  });
}

/** Scripts of other types are data, and the content of a template is not part of the page. */
function isInert(element: Element): boolean {
  const type = attributeOf(element, 'type')?.trim().toLowerCase() ?? '';
  if (type !== '' && type !== 'module' && !/^(?:text|application)\/(?:x-)?(?:java|ecma)script$/.test(type)) return true;
  for (let parent = element.parentNode; parent; parent = 'parentNode' in parent ? parent.parentNode : null)
    if (parent.nodeName === '#document-fragment') return true;
  return false;
}

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
