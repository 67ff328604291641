import type { HtmlElement } from '../../probe/html/parse.ts';
import { isElement, nodesOf } from '../../probe/html/tree.ts';

/** Whether an answer is a document of XML, and no page. */
export const isXml = (text: string): boolean =>
  /^\s*(?:<\?xml\b|<(?!!|html\b|head\b|body\b|div\b|p\b|ul\b|table\b)[a-z][\w.:-]*>\s*<[a-z])/i.test(text) &&
  !/^\s*<\?xml[^>]{0,200}>\s*(?:<!doctype html\b|<html\b)/i.test(text);

/** Elements with others in them that hold nothing but a text: the records of a document, by the names of those. */
export function* recordsInXml(text: string): Generator<Record<string, string>> {
  for (const node of nodesOf(text)) {
    if (!isElement(node)) continue;
    const members = node.childNodes.filter(isElement).flatMap((child) => {
      const value = textAlone(child);
      return value === undefined ? [] : [[nameOf(child), value] as const];
    });
    if (members.length > 1) yield Object.fromEntries(members);
  }
}

const nameOf = ({ tagName }: HtmlElement): string => tagName.replace(/^.*:/s, '');

function textAlone({ childNodes }: HtmlElement): string | undefined {
  if (childNodes.some(isElement)) return undefined;
  const text = childNodes.map((node) => ('value' in node ? node.value : '')).join('');
  return text.trim() === '' ? undefined : text.trim();
}
