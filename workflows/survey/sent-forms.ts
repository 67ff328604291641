import type { Explored } from '../model/browser.ts';
import type { FormSurface } from '../model/surface.ts';
import { isTyped } from '../model/typed-text.ts';

const maxFields = 40;
/** A part of a form with files, up to the start of what it holds. Source: RFC 7578 §4. */
const part =
  /content-disposition:[ \t]*form-data;[^\r\n]{0,50}?\bname="([^"\r\n]{1,200})"([^\r\n]{0,500})\r\n(?:[\w-]{1,50}:[^\r\n]{0,300}\r\n){0,5}\r\n([^\r\n]{0,500})/gi;
/** A form that script has put together itself, files included, as the form that a page would send the same with; undefined for other requests. */
export function sentForm(request: Explored['requests'][number], pageUrl: string): FormSurface | undefined {
  const { url, method, headers, body = '', control } = request;
  const contentType = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  if (method !== 'POST' || !/^multipart\/form-data\b/i.test(contentType)) return undefined;
  const fields = [...body.matchAll(part)].slice(0, maxFields).map(([, name = '', rest = '', value = '']) => {
    const isFile = /\bfilename="/i.test(rest);
    return { name, type: isFile ? 'file' : 'text', value: isFile || isTyped(value) ? '' : value };
  });
  if (fields.length === 0) return undefined;
  const label = control ? { label: control } : {};
  return {
    pageUrl: pageUrl.replace(/#.*$/s, ''),
    action: url,
    method,
    enctype: 'multipart/form-data',
    fields,
    ...label,
  };
}
