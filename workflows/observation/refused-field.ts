import type { HtmlElement } from '../probe/html/parse.ts';
import { attributeOf, isElement, nodesOf } from '../probe/html/tree.ts';

/** How frameworks mark a field whose value they have refused, what is around it, and what they say beside it. */
const refusal = /(?:^|[\s_-])(?:errors?|errorlist|invalid|danger)(?=$|[\s_-])/i;
const fields = ['input', 'textarea'];

/** Controls are marked by how much weight they have. */
const controls = ['a', 'button', 'input', 'textarea', 'select'];

/**
 * Whether a page says of something, wherever, that it is wrong, which it did not say before. A search may say so that nothing was found.
 */
export const saysMore = (answerHtml: string, pageHtml: string): boolean => marksIn(answerHtml) > marksIn(pageHtml);

const marksIn = (html: string): number =>
  [...nodesOf(html)].filter((node) => isElement(node) && !controls.includes(node.tagName) && hasMark(node)).length;

/**
 * Whether a form comes back with a value of ours in a field that is marked as refused, and was not marked before: nothing was done with
 * the value, and another one may be kept.
 * @param pageHtml the page of the form as it was before
 */
export function refusesField(answerHtml: string, pageHtml: string, words: readonly string[]): boolean {
  const marked = markedIn(answerHtml).filter(({ value }) => words.includes(value));
  if (marked.length === 0) return false;
  const before = new Set(markedIn(pageHtml).map(({ name }) => name));
  return marked.some(({ name }) => !before.has(name));
}

function markedIn(html: string): { name: string; value: string }[] {
  return [...nodesOf(html)].flatMap((node) =>
    isElement(node) && fields.includes(node.tagName) && isMarked(node)
      ? [{ name: attributeOf(node, 'name') ?? '', value: writtenIn(node).trim() }]
      : [],
  );
}

function isMarked(field: HtmlElement): boolean {
  if (attributeOf(field, 'aria-invalid') === 'true' || hasMark(field)) return true;
  // What stands below the form itself may be about any of its fields, or about what was found.
  for (
    let around = field.parentNode;
    around && isElement(around) && !outer.has(around.tagName);
    around = around.parentNode
  )
    if (hasMark(around) || around.childNodes.some((node) => isElement(node) && hasMark(node))) return true;
  return false;
}

const outer = new Set(['form', 'fieldset', 'table', 'body']);

const hasMark = (element: HtmlElement): boolean =>
  refusal.test((attributeOf(element, 'class') ?? '').replace(/([a-z])(?=[A-Z])/g, '$1-'));

const writtenIn = (field: HtmlElement): string =>
  attributeOf(field, 'value') ?? field.childNodes.map((node) => ('value' in node ? node.value : '')).join('');
