import type { FormControl } from '../../probe/html/controls.ts';
import { type HtmlForm, readForms } from '../../probe/html/forms.ts';
import { targetOf } from '../../probe/html/submission.ts';
import { startTagOf, wholeTree } from '../../probe/html/tree.ts';

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
  const { forms, loose } = readForms(wholeTree(html), pageUrl);
  const fieldsIn = (controls: readonly FormControl[], form?: PasswordForm['form']): PasswordForm[] =>
    controls.flatMap(({ type, isDisabled, name, element }) => {
      const fieldTag = type === 'password' && !isDisabled ? startTagOf(html, element) : undefined;
      return fieldTag === undefined ? [] : [{ fieldName: name, fieldTag, ...(form ? { form } : {}) }];
    });
  return [...forms.flatMap((form) => fieldsIn(form.controls, describe(form, html))), ...fieldsIn(loose)];
}

function describe(form: HtmlForm, html: string): PasswordForm['form'] {
  const button = form.controls.find(({ isSubmit, isDisabled }) => isSubmit && !isDisabled);
  const { action, method, written } = targetOf(form, button);
  const tag = startTagOf(html, form.element);
  if (action === undefined || tag === undefined) return undefined;
  const handlers = [...form.element.attrs, ...(button?.element.attrs ?? [])];
  const given = written.trim();
  return {
    ...{ tag, action, method },
    written: /^[a-z][\w+.-]*:/i.test(given) ? given : given === '' ? '' : form.base,
    saysMethod: (button?.attribute('formmethod') ?? form.attribute('method')) !== undefined,
    hasHandler: handlers.some(({ name }) => /^(?:on|@|v-on|ng-|\(|data-action|x-on|hx-|wire:)/.test(name)),
    isComplete: !form.controls.some(({ attribute }) => attribute('required') !== undefined),
  };
}
