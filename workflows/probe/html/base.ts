/** Real ones are a host and a folder. A page can repeat its base in each of its addresses: a long one would fill the memory. */
const maxLength = 512;

/** What addresses in a page are relative to. @param href of its first base element that has one */
export function baseOf(href: string | undefined, pageUrl: string): string {
  const text = href?.trim() ?? '';
  return text.length > maxLength ? pageUrl : (URL.parse(text, pageUrl)?.href ?? pageUrl);
}
