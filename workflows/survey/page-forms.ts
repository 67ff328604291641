import type { FormSurface } from '../model/surface.ts';
import { type Button, pressedOf } from '../probe/gate/buttons.ts';
import type { FormControl } from '../probe/html/controls.ts';
import { type HtmlForm, readForms } from '../probe/html/forms.ts';
import type { HtmlTree } from '../probe/html/parse.ts';
import { targetOf } from '../probe/html/submission.ts';

type SurveyedField = FormSurface['fields'][number];
type FormButton = Button & { control: FormControl };

const maxForms = 200;
const maxFields = 200;
/** Tables have some in each row. */
const maxButtons = 200;
/** Lists of countries and time zones have some hundreds. */
const maxOptions = 1_000;
const maxValueLength = 1_000;
const maxLabelLength = 200;

/**
 * The forms of a page as one of their buttons sends them: the others are known, and never pressed. A field that is disabled is
 * no part of what is sent.
 * @returns isWhole: whether all forms, fields and choices were within the limits
 */
export function surfaceForms(tree: HtmlTree, pageUrl: string): { forms: FormSurface[]; isWhole: boolean } {
  const { forms } = readForms(tree, pageUrl);
  const isSmall = (form: HtmlForm): boolean =>
    fieldsOf(form).length <= maxFields &&
    submitsOf(form).length <= maxButtons &&
    form.controls.every(({ options }) => options.length <= maxOptions);
  return {
    forms: forms.slice(0, maxForms).flatMap(surfaceOf),
    isWhole: tree.complete && forms.length <= maxForms && forms.every(isSmall),
  };
}

const submitsOf = ({ controls }: HtmlForm): FormControl[] => controls.filter(({ isSubmit }) => isSubmit);

const fieldsOf = ({ controls }: HtmlForm): FormControl[] =>
  controls.filter(({ isButton, isDisabled, name }) => !isButton && !isDisabled && name !== '');

function surfaceOf(form: HtmlForm): FormSurface[] {
  const buttons = submitsOf(form).slice(0, maxButtons);
  const enabled = buttons.filter(({ isDisabled }) => !isDisabled);
  // Where all are disabled, a script is meant to enable one: its label says what the form does.
  const offered = (enabled.length > 0 ? enabled : buttons).map(buttonOf);
  const pressed = pressedOf(offered);
  const { action, method, enctype } = targetOf(form, pressed?.control);
  if (action === undefined || method === 'DIALOG') return [];
  const label = [pressed?.label, ...(pressed?.hints ?? [])].join(' ').trim().replace(/\s+/g, ' ');
  const others = buttons.filter(({ type, name }) => type === 'submit' && name !== '');
  const unpressed = others.filter((control) => control !== pressed?.control);
  const surface: FormSurface = { pageUrl: form.pageUrl, action, method, enctype, fields: sentBy(form, pressed) };
  if (form.attribute('role')?.toLowerCase() === 'search') surface.isSearch = true;
  if (label !== '') surface.label = label;
  if (unpressed.length > 0) surface.otherButtons = unpressed.map(({ name, value }) => ({ name, value }));
  return [surface];
}

/** The fields and the button, in the order of the page. */
function sentBy(form: HtmlForm, pressed: FormButton | undefined): SurveyedField[] {
  const fields = new Set(fieldsOf(form).slice(0, maxFields));
  return form.controls.flatMap((control): SurveyedField[] => {
    const { name, value } = control;
    if (control === pressed?.control) return pressed.name === '' ? [] : [{ name, type: 'submit', value }];
    return fields.has(control) ? [fieldOf(control)] : [];
  });
}

function fieldOf(control: FormControl): SurveyedField {
  const { name, type, options, isTicked } = control;
  const field: SurveyedField = { name, type, value: control.value.slice(0, maxValueLength) };
  const autocomplete = control.attribute('autocomplete');
  if (type === 'select')
    field.options = options.slice(0, maxOptions).map(({ value }) => value.slice(0, maxValueLength));
  if (control.attribute('required') !== undefined) field.isRequired = true;
  Object.assign(field, demandsOf(control));
  if (autocomplete !== undefined) field.autocomplete = autocomplete;
  if (type === 'file') field.accept = (control.attribute('accept') ?? '').slice(0, maxValueLength);
  if ((type === 'checkbox' || type === 'radio') && !isTicked) field.isUnticked = true;
  return field;
}

/** Limits are those of numbers alone: what dates and times begin with is no number. */
function demandsOf({ type, attribute }: FormControl): Partial<SurveyedField> {
  const [pattern, least] = [attribute('pattern') ?? '', Number(attribute('minlength'))];
  const limits = /^(?:number|range)$/.test(type) ? (['min', 'max'] as const) : [];
  const set = limits.filter((name) => /^-?\d{1,15}(?:\.\d{1,6})?$/.test(attribute(name) ?? ''));
  return {
    ...(pattern !== '' && pattern.length <= maxValueLength ? { pattern } : {}),
    ...(least > 1 ? { minLength: least } : {}),
    ...Object.fromEntries(set.map((name) => [name, attribute(name)])),
  };
}

/** A picture has no value of its own. */
const buttonOf = (control: FormControl): FormButton => ({
  control,
  name: control.type === 'image' ? '' : control.name,
  value: control.value,
  label: control.text.slice(0, maxLabelLength),
  hints: ['title', 'aria-label'].flatMap((name) => control.attribute(name) || []),
  leadsElsewhere: leadsElsewhere(control),
});

/** A library sends the form elsewhere when this is pressed. */
const byScript = /^(?:data-)?(?:hx-(?:get|post|put|patch|delete)|turbo-method|method|up-method)$/;

const leadsElsewhere = ({ element, attribute }: FormControl): boolean =>
  attribute('formaction') !== undefined ||
  attribute('formmethod') !== undefined ||
  element.attrs.some(({ name }) => byScript.test(name));
