import type { Exchange } from '../../model/http.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { baseOf } from '../../probe/html/base.ts';
import { type HtmlElement, type HtmlNode, type HtmlTree, parseHtml } from '../../probe/html/parse.ts';
import { documentTypeOf } from '../../probe/http/document-type.ts';

export type Element = HtmlElement;

const pageTypes = ['text/html', 'application/xhtml+xml'];

/** A browser would show this answer as a page. */
export const isHtml = (exchange: Exchange): boolean => pageTypes.includes(documentTypeOf(exchange));

/**
 * Every node of a page in the order of its source, the content of templates included, as browsers parse it.
 * @throws ProbeError `too_large` at once when the page is too much to be read to its end: what is not in a part of it may be in the rest
 */
export function* nodesOf(html: string): Generator<HtmlNode> {
  const { document, complete } = treeOf(html);
  if (!complete) throw new ProbeError('too_large', 'a page has more elements, or deeper ones, than are read');
  const stack: HtmlNode[] = [document];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    yield node;
    if ('content' in node) stack.push(node.content);
    if ('childNodes' in node) for (const child of node.childNodes.toReversed()) stack.push(child);
  }
}

/** The page that was parsed last, as long as there is memory for it. */
let last: { html: string; tree: WeakRef<HtmlTree> } | undefined;

/** Readers look at one page several times, one after the other, and a hostile page takes most of a second each time. */
function treeOf(html: string): HtmlTree {
  const known = last?.html === html ? last.tree.deref() : undefined;
  const tree = known ?? parseHtml(html, { withLocations: true });
  if (!known) last = { html, tree: new WeakRef(tree) };
  return tree;
}

export const isElement = (node: HtmlNode): node is Element => 'tagName' in node;

export const attributeOf = (element: Element, name: string): string | undefined =>
  element.attrs.find((attribute) => attribute.name === name)?.value;

/**
 * Contents of `<meta http-equiv>` in a page, for instance of "content-security-policy" or "refresh".
 * @param inHead only those in the page's head
 */
export function metaContents(html: string, httpEquiv: string, { inHead = false } = {}): string[] {
  return [...nodesOf(html)].filter(isElement).flatMap((element) => {
    if (inHead && element.parentNode?.nodeName !== 'head') return [];
    const isMeta = element.tagName === 'meta' && attributeOf(element, 'http-equiv')?.trim().toLowerCase() === httpEquiv;
    return isMeta ? (attributeOf(element, 'content') ?? []) : [];
  });
}

/** What addresses in a page are relative to: the first base element with an address. Source: HTML Standard §4.2.3. */
export function baseUrlOf(html: string, pageUrl: string): string {
  const bases = [...nodesOf(html)].filter((node) => isElement(node) && node.tagName === 'base');
  const href = bases.flatMap((node) => (isElement(node) ? (attributeOf(node, 'href') ?? []) : []))[0];
  return baseOf(href, pageUrl);
}

/** The start tag of an element as it was sent. */
export function startTagOf(html: string, { sourceCodeLocation }: Element): string | undefined {
  const place = sourceCodeLocation?.startTag ?? sourceCodeLocation;
  return place ? html.slice(place.startOffset, place.endOffset) : undefined;
}
