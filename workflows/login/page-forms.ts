import type { FormControl } from '../probe/html/controls.ts';
import { type HtmlForm, readForms } from '../probe/html/forms.ts';
import type { HtmlTree } from '../probe/html/parse.ts';
import { type FormTarget, targetOf } from '../probe/html/submission.ts';
import { treeOf, wholeTree } from '../probe/html/tree.ts';

/** A form of a page as it is sent without a button; a button may say another target. */
export type PageForm = {
  pageUrl: string;
  /** Absolute; that of its page where only script can send it. */
  action: string;
  /** It says neither where it goes nor how, or goes nowhere, so script on the page is meant to send it. */
  isScripted: boolean;
  /** In document order. */
  controls: FormControl[];
  /** Where it goes when a button is pressed. */
  targetBy(button: FormControl | undefined): FormTarget;
};

/**
 * The forms of a page that lead somewhere.
 * @throws ProbeError `too_large` when the page is too much to be read to its end
 */
export const pageForms = (html: string, pageUrl: string): PageForm[] => formsOf(wholeTree(html), pageUrl);

/** The same of as much of a page as is read: applications that draw thousands of elements are no page of a login. */
export const formsRead = (html: string, pageUrl: string): { forms: PageForm[]; isWhole: boolean } => {
  const tree = treeOf(html);
  return { forms: formsOf(tree, pageUrl), isWhole: tree.complete };
};

const formsOf = (tree: HtmlTree, pageUrl: string): PageForm[] =>
  readForms(tree, pageUrl).forms.flatMap((form) => {
    const isScripted = isForScript(form);
    const action = targetOf(form).action ?? (isScripted ? pageUrl : undefined);
    if (action === undefined) return [];
    const { controls } = form;
    return [{ pageUrl, action, isScripted, controls, targetBy: (button) => targetOf(form, button) }];
  });

function isForScript({ attribute }: HtmlForm): boolean {
  const [action, method] = [attribute('action'), attribute('method')];
  const isSilent = !action && method === undefined;
  return isSilent || /^\s*(?:javascript:|#)/i.test(action ?? '') || method?.toLowerCase() === 'dialog';
}
