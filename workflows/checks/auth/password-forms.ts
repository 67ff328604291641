import { attributeOf, baseUrlOf, type Element, isElement, nodesOf, startTagOf } from '../pages/html.ts';

/** A form of a page with a field for a password; `undefined` parts when the field stands outside of any form. */
export type PasswordForm = {
  /** Name of the field; "" when it has none, so that no browser sends it. */
  fieldName: string;
  /** Start tag of the field, as it was sent. */
  fieldTag: string;
  form?: {
    tag: string;
    /** Where the form goes, absolute; a button may say another address than the form. */
    action: string;
    /** What stands in the page for that address: a value of `action`, `formaction` or of the base element. */
    written: string;
    method: 'GET' | 'POST' | 'DIALOG';
    saysMethod: boolean;
    hasHandler: boolean;
    /** Fields without which a browser does not send it. */
    isComplete: boolean;
  };
};

/** Forms into which a password is typed. */
export function passwordForms(html: string, pageUrl: string): PasswordForm[] {
  const elements = [...nodesOf(html)].filter(isElement);
  const base = baseUrlOf(html, pageUrl);
  const formOf = owners(elements);
  const members = Map.groupBy(elements, formOf);
  return elements.flatMap((element) => {
    const isPassword = element.tagName === 'input' && attributeOf(element, 'type')?.trim().toLowerCase() === 'password';
    const fieldTag = isPassword ? startTagOf(html, element) : undefined;
    if (fieldTag === undefined || isInert(element)) return [];
    const owner = formOf(element);
    const field = { fieldName: attributeOf(element, 'name') ?? '', fieldTag };
    const form = owner && describe(owner, members.get(owner) ?? [], html, pageUrl, base);
    return [form ? { ...field, form } : field];
  });
}

function isInert(element: Element): boolean {
  if (attributeOf(element, 'disabled') !== undefined) return true;
  for (let parent = element.parentNode; parent; parent = 'parentNode' in parent ? parent.parentNode : null)
    if (parent.nodeName === '#document-fragment' || parent.nodeName === 'template') return true;
  return false;
}

/** The form that an element is a part of: by its attribute, or as its ancestor. Source: HTML Standard §4.10.18.3. */
function owners(elements: readonly Element[]): (element: Element) => Element | undefined {
  const forms = elements.filter(({ tagName }) => tagName === 'form');
  // Of several with an id the first one counts: a map keeps the last.
  const byId = new Map(forms.toReversed().map((form) => [attributeOf(form, 'id'), form]));
  return (element) => {
    const id = attributeOf(element, 'form');
    if (id !== undefined) return byId.get(id);
    for (let parent = element.parentNode; parent; parent = 'parentNode' in parent ? parent.parentNode : null)
      if (isElement(parent) && parent.tagName === 'form') return parent;
    return undefined;
  };
}

function describe(
  form: Element,
  own: readonly Element[],
  html: string,
  pageUrl: string,
  base: string,
): PasswordForm['form'] {
  const button = own.find(
    (each) =>
      (each.tagName === 'button' && !/^(?:button|reset)$/i.test(attributeOf(each, 'type') ?? '')) ||
      (each.tagName === 'input' && /^(?:submit|image)$/i.test(attributeOf(each, 'type') ?? '')),
  );
  const written = (button && attributeOf(button, 'formaction')) || attributeOf(form, 'action') || '';
  const action = written.trim() === '' ? pageUrl : URL.parse(written.trim(), base)?.href;
  const method = (button && attributeOf(button, 'formmethod')) ?? attributeOf(form, 'method');
  const tag = startTagOf(html, form);
  if (action === undefined || tag === undefined) return undefined;
  const handlers = [...form.attrs, ...(button?.attrs ?? [])];
  return {
    tag,
    action,
    written: /^[a-z][\w+.-]*:/i.test(written.trim()) ? written.trim() : written.trim() === '' ? '' : base,
    method: methodOf(method),
    saysMethod: method !== undefined,
    hasHandler: handlers.some(({ name }) => /^(?:on|@|v-on|ng-|\(|data-action|x-on|hx-|wire:)/.test(name)),
    isComplete: !own.some((each) => attributeOf(each, 'required') !== undefined),
  };
}

const methodOf = (written: string | undefined): 'GET' | 'POST' | 'DIALOG' => {
  const word = written?.trim().toUpperCase();
  return word === 'POST' || word === 'DIALOG' ? word : 'GET';
};
