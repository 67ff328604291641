import type { FormSurface, Surface } from '../model/surface.ts';

/** So many places of one folder that take fields are programs of one kind: exercises, or cases of a suite. */
const fewestAlike = 3;

/**
 * Whether what is posted works with something. A form without a field may work with a cookie, where its page makes one, and beside others
 * of its folder that take fields with the page that it comes from; elsewhere its button does something.
 */
export function createInputTest({ forms, inputs }: Pick<Surface, 'forms' | 'inputs'>): (form: FormSurface) => boolean {
  const posted = forms.filter(({ method, fields }) => method === 'POST' && hasNames(fields));
  const places = Map.groupBy(posted, ({ action }) => folderOf(action));
  const isOneOfMany = ({ action }: FormSurface): boolean =>
    new Set((places.get(folderOf(action)) ?? []).map((form) => withoutQuery(form.action))).size >= fewestAlike;
  const hasInput = ({ action }: FormSurface): boolean =>
    inputs.some(({ method, url }) => method === 'POST' && url === action);
  return (form) => hasNames(form.fields) || (form.method === 'POST' && (hasInput(form) || isOneOfMany(form)));
}

const hasNames = (fields: FormSurface['fields']): boolean => fields.some(({ name }) => name !== '');
const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');
const folderOf = (url: string): string => withoutQuery(url).replace(/[^/]*$/, '');
