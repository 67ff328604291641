import type { FormSurface } from '../model/surface.ts';
import { shapeOfForm } from '../probe/gate/form-key.ts';

/** Forms with other commands do other things; numbers name one of many. */
export function formKey(form: FormSurface): string {
  const commands = shapeOfForm(form).commands.filter(([, value]) => !/\d/.test(value));
  const names = form.fields.map(({ name }) => name);
  return [form.method, form.action, ...names, ...commands.map((pair) => pair.join('='))].join(' ');
}

/** What a form sends besides what is filled in: of GET without the query of its address, which it replaces. Source: HTML standard §4.10.22.3. */
export function formAlone({ method, action, fields }: FormSurface): string {
  const place = method === 'GET' ? action.replace(/[?#].*$/s, '') : action;
  return [
    method,
    place,
    ...fields.map(({ name, type, value }) => (type === 'hidden' ? `${name}=${value}` : name)),
  ].join(' ');
}

/** The URL that a browser goes to when a GET form is sent as it is. */
export function withFields(form: FormSurface): string {
  const url = new URL(form.action);
  url.search = new URLSearchParams(form.fields.map(({ name, value }) => [name, value])).toString();
  return url.href;
}

/** A form that is sent to the page that it stands on. */
export const isOwnAddress = ({ action, fields }: FormSurface, url: string): boolean =>
  fields.length > 0 && action.replace(/[?#].*$/s, '') === url.replace(/[?#].*$/s, '');

/** A GET that a control of unknown effect leads to, as the form that it is; undefined when it sends nothing. */
export function formOf(url: string, pageUrl: string, control = ''): FormSurface | undefined {
  const { origin, pathname, searchParams } = new URL(url);
  const fields = [...searchParams].map(([name, value]) => ({ name, type: 'text', value }));
  if (fields.length === 0) return undefined;
  const [action, enctype] = [origin + pathname, 'application/x-www-form-urlencoded'];
  return { pageUrl: pageUrl.replace(/#.*$/s, ''), action, method: 'GET', enctype, fields, label: control };
}
