import type { HtmlNode } from './parse.ts';
import { treeOf } from './tree.ts';

const unseen = new Set(['script', 'style', 'noscript', 'template']);

/** What a reader sees of a page, scripts and styles left out; of one that is too much to read, of its beginning. */
export const visibleText = (html: string): string =>
  textOf(treeOf(html).document, { without: unseen, maxNodes: Number.POSITIVE_INFINITY });

/** Labels, buttons and options are short; hostile ones hold each other, and each all the text of the page. */
const maxNodesOfText = 200;
const nothing: ReadonlySet<string> = new Set();

/** Text below a node in document order. */
export function textOf(root: HtmlNode, { without = nothing, maxNodes = maxNodesOfText } = {}): string {
  let text = '';
  let nodes = 0;
  const work: HtmlNode[] = [root];
  for (let node = work.pop(); node !== undefined && nodes < maxNodes; node = work.pop()) {
    nodes += 1;
    if (node.nodeName === '#text' && 'value' in node) text += node.value;
    if (!('childNodes' in node) || without.has(node.nodeName)) continue;
    for (const child of node.childNodes.toReversed()) work.push(child);
  }
  return text;
}

/** White space as HTML collapses it in the texts of options. Source: HTML Standard §4.10.10. */
export const collapsed = (text: string): string => text.trim().replace(/\s+/g, ' ');
