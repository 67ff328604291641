import type { HtmlNode } from './parse.ts';
import { treeOf } from './tree.ts';

const unseen = new Set(['script', 'style', 'noscript', 'template']);
/** Text before and after these is one sentence; all other elements stand apart. */
const inline =
  /^(?:#.*|a|abbr|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark|q|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr)$/;

/**
 * What a reader sees of a page, scripts and styles left out; of one that is too much to read, of its beginning. Blocks are lines of
 * their own, whether or not there is white space between their tags.
 */
export const visibleText = (html: string): string =>
  textOf(treeOf(html).document, { without: unseen, maxNodes: Number.POSITIVE_INFINITY, isApart }).trim();

const isApart = ({ nodeName }: HtmlNode): boolean => !inline.test(nodeName);

/** Labels, buttons and options are short; hostile ones hold each other, and each all the text of the page. */
const maxNodesOfText = 200;
const nothing: ReadonlySet<string> = new Set();
const lineEnd = '\n';

/** Text below a node in document order. */
export function textOf(
  root: HtmlNode,
  {
    without = nothing,
    maxNodes = maxNodesOfText,
    isApart = (_node: HtmlNode): boolean => false,
  }: { without?: ReadonlySet<string>; maxNodes?: number; isApart?: (node: HtmlNode) => boolean } = {},
): string {
  let text = '';
  let nodes = 0;
  const work: (HtmlNode | typeof lineEnd)[] = [root];
  for (let node = work.pop(); node !== undefined && nodes < maxNodes; node = work.pop()) {
    if (node === lineEnd) {
      text += lineEnd;
      continue;
    }
    nodes += 1;
    if (node.nodeName === '#text' && 'value' in node) text += node.value;
    const apart = isApart(node);
    if (apart) text += lineEnd;
    if (!('childNodes' in node) || without.has(node.nodeName)) continue;
    if (apart) work.push(lineEnd);
    for (const child of node.childNodes.toReversed()) work.push(child);
  }
  return text;
}

/** White space as HTML collapses it in the texts of options. Source: HTML Standard §4.10.10. */
export const collapsed = (text: string): string => text.trim().replace(/\s+/g, ' ');
