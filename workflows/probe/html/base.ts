import type { HtmlTree } from './parse.ts';
import { attributeOf, elementsBelow, isNamed, wholeTree } from './tree.ts';

/** Real ones are a host and a folder. A page can repeat its base in each of its addresses: a long one would fill the memory. */
const maxLength = 512;

/** What addresses in a page are relative to. @param href of its first base element that has one */
export function baseOf(href: string | undefined, pageUrl: string): string {
  const text = href?.trim() ?? '';
  return text.length > maxLength ? pageUrl : (URL.parse(text, pageUrl)?.href ?? pageUrl);
}

/** The first base element with an address counts, and none of a template. Source: HTML Standard §4.2.3. */
export function baseOfTree({ document }: HtmlTree, pageUrl: string): string {
  const hrefs = elementsBelow(document).flatMap((element) =>
    isNamed(element, 'base') ? (attributeOf(element, 'href') ?? []) : [],
  );
  return baseOf(hrefs[0], pageUrl);
}

/** @throws ProbeError `too_large` */
export const baseUrlOf = (html: string, pageUrl: string): string => baseOfTree(wholeTree(html), pageUrl);
