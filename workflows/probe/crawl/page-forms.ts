import type { FormSurface } from '../../checks/contract.ts';
import type { HtmlToken } from './page-tokens.ts';

type Field = FormSurface['fields'][number];
type OpenForm = {
  id: string;
  action: string;
  method: string;
  enctype: string;
  fields: Field[];
  label: string;
  isSearch: boolean;
};

const maxForms = 200;
const maxFields = 200;
const maxLabelLength = 200;
/** Buttons and inputs that send nothing by themselves. */
const withoutValue = new Set(['button', 'image', 'reset']);

/** Collects forms from tags. Fields outside of their form are found by its id, as the `form` attribute says. */
export function formReader(): {
  read(token: HtmlToken): void;
  /** Whether all forms, fields and choices had room. */
  isWhole(): boolean;
  /** @param resolve makes an action absolute; forms that lead elsewhere than http are left out */
  finish(resolve: (action: string) => string | undefined, pageUrl: string): FormSurface[];
} {
  const forms: OpenForm[] = [];
  const elsewhere: { formId: string; field: Field }[] = [];
  let current: OpenForm | undefined;
  let select: Field | undefined;
  let option: { value: string | undefined; text: string; isSelected: boolean } | undefined;
  let textarea: Field | undefined;
  let isInButton = false;
  let hasAll = true;
  const hasRoom = (list: readonly unknown[], max: number): boolean => {
    hasAll &&= list.length < max;
    return list.length < max;
  };

  /** One without a value has its text for it. Source: HTML standard §4.10.10. */
  const endOption = () => {
    if (!option || !select?.options) return;
    const value = option.value ?? option.text.trim().replace(/\s+/g, ' ');
    select.options.push(value);
    if (select.options.length === 1 || option.isSelected) select.value = value;
    option = undefined;
  };

  const addLabel = (text: string) => {
    if (current) current.label = `${current.label}${text}`.slice(0, maxLabelLength);
  };
  const add = (field: Field, formId: string | undefined) => {
    if (field.name === '' || withoutValue.has(field.type)) return;
    if (formId !== undefined) {
      if (hasRoom(elsewhere, maxFields)) elsewhere.push({ formId, field });
    } else if (current && hasRoom(current.fields, maxFields)) current.fields.push(field);
  };

  const onStart = (name: string, attributes: ReadonlyMap<string, string>) => {
    const get = (attribute: string) => attributes.get(attribute) ?? '';
    const required = attributes.has('required') ? { isRequired: true as const } : {};
    const autocomplete = attributes.has('autocomplete') ? { autocomplete: get('autocomplete') } : {};
    const field = {
      name: get('name'),
      type: get('type').toLowerCase() || 'text',
      value: get('value'),
      ...required,
      ...autocomplete,
    };
    switch (name) {
      case 'form':
        // A form inside a form does not start one. Source: HTML standard §13.2.6.4.7.
        if (current || !hasRoom(forms, maxForms)) return;
        current = {
          id: get('id'),
          action: get('action'),
          method: get('method'),
          enctype: get('enctype'),
          fields: [],
          label: '',
          isSearch: get('role').toLowerCase() === 'search',
        };
        return void forms.push(current);
      case 'input':
        if (field.type === 'submit' || field.type === 'image') addLabel(` ${field.value || get('alt')}`);
        return add(field, attributes.get('form'));
      case 'button': {
        const type = get('type').toLowerCase() || 'submit';
        isInButton = !withoutValue.has(type);
        addLabel(' ');
        return add({ ...field, type }, attributes.get('form'));
      }
      case 'textarea':
        textarea = { ...field, type: 'textarea', value: '' };
        return add(textarea, attributes.get('form'));
      case 'select':
        select = { ...field, type: 'select', value: '', options: [] };
        return add(select, attributes.get('form'));
      case 'option':
        endOption();
        if (select?.options && select.options.length < maxFields)
          option = { value: attributes.get('value'), text: '', isSelected: attributes.has('selected') };
    }
  };

  return {
    read(token) {
      if (token.kind === 'start') onStart(token.name, token.attributes);
      if (token.kind === 'text' && textarea) textarea.value = (textarea.value + token.text).slice(0, 1000);
      if (token.kind === 'text' && isInButton) addLabel(token.text);
      if (token.kind === 'text' && option) option.text = (option.text + token.text).slice(0, maxLabelLength);
      if (token.kind !== 'end') return;
      if (token.name === 'button') isInButton = false;
      if (token.name === 'form') current = undefined;
      if (token.name === 'option' || token.name === 'select') endOption();
      if (token.name === 'select') select = undefined;
      if (token.name === 'textarea') textarea = undefined;
    },
    isWhole: () => hasAll,
    finish(resolve, pageUrl) {
      for (const { formId, field } of elsewhere) forms.find(({ id }) => id === formId)?.fields.push(field);
      return forms.flatMap((form) => {
        const action = resolve(form.action);
        const method = form.method.toUpperCase() === 'POST' ? 'POST' : 'GET';
        const enctype = form.enctype.toLowerCase() || 'application/x-www-form-urlencoded';
        const label = form.label.trim().replace(/\s+/g, ' ');
        const search = form.isSearch ? { isSearch: true as const } : {};
        const surface = { pageUrl, action: action ?? '', method, enctype, fields: form.fields, ...search } as const;
        return action === undefined ? [] : [label === '' ? surface : { ...surface, label }];
      });
    },
  };
}
