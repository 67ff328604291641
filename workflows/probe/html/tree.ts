import { ProbeError } from '../../model/probe-error.ts';
import { type HtmlElement, type HtmlNode, type HtmlTree, parseHtml } from './parse.ts';

/**
 * Every node of a page in the order of its source, the content of templates included, as browsers parse it.
 * @throws ProbeError `too_large` at once when the page is too much to be read to its end
 */
export function* nodesOf(html: string): Generator<HtmlNode> {
  const stack: HtmlNode[] = [wholeTree(html).document];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    yield node;
    if ('content' in node) stack.push(node.content);
    if ('childNodes' in node) for (const child of node.childNodes.toReversed()) stack.push(child);
  }
}

/** @throws ProbeError `too_large` when the page is too much to be read to its end: what is not in a part of it may be in the rest */
export function wholeTree(html: string): HtmlTree {
  const tree = treeOf(html);
  if (!tree.complete) throw new ProbeError('too_large', 'a page has more elements, or deeper ones, than are read');
  return tree;
}

/** The page that was parsed last, as long as there is memory for it. */
let last: { html: string; tree: WeakRef<HtmlTree> } | undefined;

/** Readers look at one page several times, one after the other, and a hostile page takes most of a second each time. */
export function treeOf(html: string): HtmlTree {
  const known = last?.html === html ? last.tree.deref() : undefined;
  const tree = known ?? parseHtml(html, { withLocations: true });
  if (!known) last = { html, tree: new WeakRef(tree) };
  return tree;
}

export const isElement = (node: HtmlNode): node is HtmlElement => 'tagName' in node;

export const attributeOf = (element: HtmlElement, name: string): string | undefined =>
  element.attrs.find((attribute) => attribute.name === name)?.value;

/** An element of HTML with this name; those of SVG and MathML have names of their own. */
export const isNamed = ({ tagName, namespaceURI }: HtmlElement, name: string): boolean =>
  tagName === name && namespaceURI === 'http://www.w3.org/1999/xhtml';

/** What stands in a template is not part of the page. */
export function isInTemplate(element: HtmlElement): boolean {
  for (let parent = element.parentNode; parent; parent = 'parentNode' in parent ? parent.parentNode : null)
    if (parent.nodeName === '#document-fragment') return true;
  return false;
}

/** All elements below a node in document order, without those of templates. */
export function elementsBelow(root: HtmlNode): HtmlElement[] {
  const found: HtmlElement[] = [];
  const work: HtmlNode[] = 'childNodes' in root ? root.childNodes.toReversed() : [];
  for (let node = work.pop(); node !== undefined; node = work.pop()) {
    if (isElement(node)) found.push(node);
    if ('childNodes' in node) for (const child of node.childNodes.toReversed()) work.push(child);
  }
  return found;
}

/** The start tag of an element as it was sent. */
export function startTagOf(html: string, { sourceCodeLocation }: HtmlElement): string | undefined {
  const place = sourceCodeLocation?.startTag ?? sourceCodeLocation;
  return place ? html.slice(place.startOffset, place.endOffset) : undefined;
}
