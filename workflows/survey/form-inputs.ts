import type { FormSurface, InputSurface, PageToken } from '../model/surface.ts';
import { namesWhatIsSaved } from '../probe/gate/saving-names.ts';
import { kindOfForm } from '../probe/gate/structure.ts';
import { type FieldDemands, fittingText } from '../probe/html/fitting-text.ts';
import { normaliseRoute } from '../probe/routes.ts';

type InputField = FormSurface['fields'][number];

/** Names that frameworks give to a form's token: Django, Rails, Laravel, ASP.NET, Spring, Symfony, WordPress, and words of the like. */
const tokenName =
  /csrf|xsrf|token|nonce|authenticity|verification|antiforgery|__viewstate|__eventvalidation|form_?key|form_build_id/i;
/** A hidden value of this length, with digits among the letters, is made anew for each visitor. */
const tokenValue = /^(?=.*\d)(?=.*[a-z])[\w+/=.:~-]{16,}$/i;

const fillers: Record<string, string> = {
  email: 'audit@example.com',
  number: '1',
  range: '1',
  url: 'https://example.com/',
  tel: '5550100',
  date: '2026-01-31',
  'datetime-local': '2026-01-31T12:00',
  month: '2026-01',
  time: '12:00',
  color: '#336699',
};

/** What people write into. */
const writtenTypes = /^(?:|text|textarea|email|url|tel|number|date)$/;

/**
 * Fields of a form as inputs, each with the values that the others are sent with. What the page demands is filled in, and in a form that
 * is there to be filled in each field: many servers refuse an empty one without the page saying so. What is left empty in a search or
 * filter of short fields is no condition, and stays so.
 */
export function formInputs(form: FormSurface): InputSurface[] {
  const route = normaliseRoute(form.action);
  const isPost = form.method === 'POST';
  const sent = firstOfEach(sentFields(form.fields));
  const { kind } = kindOfForm(form);
  const isWorking = kind === 'reads' && sent.some(({ type }) => type === 'textarea');
  const isFilled = isWorking || ['unknown', 'asks', 'keeps', 'adds', 'message', 'addressed', 'entrance'].includes(kind);
  const values = sent.map((field) => ({ name: field.name, value: filledIn(field, isFilled) }));
  const tokens = isPost ? sent.filter(isPageToken).map(({ name }): PageToken => ({ field: name })) : [];
  const tried = firstOfEach(form.fields).map((field) => sent.find(({ name }) => name === field.name) ?? field);
  return tried.flatMap((field): InputSurface[] => {
    if (/^(?:submit|file)$/.test(field.type) || (isPost && isPageToken(field))) return [];
    const written = form.fields.filter(({ name, type }) => name === field.name && writtenTypes.test(type));
    return [
      {
        method: form.method,
        url: form.action,
        route,
        parameter: field.name,
        in: isPost ? 'body' : 'query',
        sample: (written.length > 1 ? written.at(-1) : field)?.value ?? '',
        others: values.filter(({ name }) => name !== field.name),
        ...(written.length > 1 ? { isRepeated: true as const } : {}),
        ...(isPost ? { contentType: form.enctype, page: { url: form.pageUrl, tokens } } : {}),
      },
    ];
  });
}

function firstOfEach(fields: readonly InputField[]): InputField[] {
  const names = new Set<string>();
  return fields.filter(({ name }) => !names.has(name) && names.add(name));
}

/**
 * The fields that a person sends who fills in a form: of boxes those that are ticked or demanded, of radio buttons one, of
 * buttons the one that is pressed, and no files.
 */
export function sentFields(fields: readonly InputField[]): InputField[] {
  const button = fields.find(({ type }) => type === 'submit');
  const radios = Map.groupBy(
    fields.filter(({ type }) => type === 'radio'),
    ({ name }) => name,
  );
  return fields.filter((field) => {
    const { type, name, isUnticked, isRequired } = field;
    if (type === 'radio')
      return field === (radios.get(name)?.find((each) => !each.isUnticked) ?? radios.get(name)?.[0]);
    if (type === 'checkbox') return !isUnticked || isRequired === true;
    return type !== 'file' && (type !== 'submit' || field === button);
  });
}

/** Whether a page gives a field's value to each visitor anew. */
export const isPageToken = ({ type, name, value }: Pick<InputField, 'type' | 'name' | 'value'>): boolean =>
  type === 'hidden' && value !== '' && (tokenName.test(name) || (tokenValue.test(value) && !isText(value)));

/** Base64 of a text with parts: an object that the site keeps with the visitor, and nothing made by chance. */
function isText(value: string): boolean {
  if (!/^[\w+/-]{8,}={0,2}$/.test(value)) return false;
  const text = Buffer.from(value, 'base64').toString('latin1');
  return /^[\x20-\x7e\0\s]+$/.test(text) && /[<>{}[\]:;="',|& ]/.test(text);
}

function filledIn(field: InputField, isFilled: boolean): string {
  const { name, type, value, isRequired } = field;
  return value === '' && (isRequired || (isFilled && writtenTypes.test(type) && !namesWhatIsSaved(name)))
    ? fillerFor(field)
    : value;
}

/** What a field takes where something has to stand. */
export const fillerFor = (field: FieldDemands): string => fittingText(field, fillers[field.type] ?? 'a');
