import { ProbeError } from '../../model/probe-error.ts';
import type { HtmlElement } from '../../probe/html/parse.ts';
import { attributeOf, isElement, nodesOf } from '../../probe/html/tree.ts';
import type { CheckContext } from '../contract.ts';

type PageMarkup = { /** What links have behind "#". */ fragments: string[] /** Selectors. */; elements: string[] };

/** Nothing of a page that is too much to be read to its end, which is reported: its scripts are looked at all the same. */
export function markupOf({ leave }: Pick<CheckContext, 'leave'>, html: string, url: string): PageMarkup {
  try {
    const all = [...nodesOf(html)].filter(isElement);
    return { fragments: all.flatMap(fragmentOf), elements: [...new Set(all.flatMap(selectorsOf))] };
  } catch (error) {
    if (!(error instanceof ProbeError) || error.code !== 'too_large') throw error;
    leave({ code: 'page_cut', count: 1, text: `fragments that ${url} links to were not read: ${error.message}` });
    return { fragments: [], elements: [] };
  }
}

function fragmentOf(element: HtmlElement): string[] {
  const address = element.tagName === 'a' ? attributeOf(element, 'href')?.trim() : undefined;
  return address !== undefined && /^#.*[^/=:][/=:][^/=:]/s.test(address) ? [address.slice(1)] : [];
}

function selectorsOf(element: HtmlElement): string[] {
  const id = attributeOf(element, 'id');
  const classes = attributeOf(element, 'class')?.match(/\S+/g) ?? [];
  return [...(id ? [`#${id}`] : []), ...classes.map((name) => `.${name}`)];
}
