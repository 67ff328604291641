import { attributeOf, isElement, nodesOf } from './tree.ts';

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
