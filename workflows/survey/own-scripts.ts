import type { ParsedPage } from './page.ts';
import { textHash } from './same-text.ts';

/**
 * Pages whose addresses differ in a number alone, and that differ in nothing but that their script names its own page: what it sends
 * there is that page's own, as with a form.
 */
export function createOwnScripts() {
  const seen = new Set<string>();
  return {
    /** Whether a page with the same script for its own address was seen under another number. */
    isAgain(url: string, text: string, { inlineScripts }: Pick<ParsedPage, 'inlineScripts'>): boolean {
      const { pathname } = new URL(url);
      const named = [`"${pathname}"`, `'${pathname}'`, `\`${pathname}\``];
      const namesItself = (script: string) => named.some((name) => script.includes(name));
      if (!/\d/.test(pathname) || !inlineScripts.some(namesItself)) return false;
      const key = `${pathname.replace(/\d+/g, '0')} ${textHash(text.replaceAll(pathname, ''))}`;
      const isAgain = seen.has(key);
      seen.add(key);
      return isAgain;
    },
  };
}
