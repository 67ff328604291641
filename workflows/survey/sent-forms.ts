import type { Explored } from '../model/browser.ts';
import { parseJson } from '../model/json.ts';
import type { FormSurface } from '../model/surface.ts';
import { isTyped, typedInto } from '../model/typed-text.ts';
import { letsIn } from '../probe/gate/structure.ts';

const maxFields = 40;
/** A part of a form with files, up to the start of what it holds. Source: RFC 7578 §4. */
const part =
  /content-disposition:[ \t]*form-data;[^\r\n]{0,50}?\bname="([^"\r\n]{1,200})"([^\r\n]{0,500})\r\n(?:[\w-]{1,50}:[^\r\n]{0,300}\r\n){0,5}\r\n([^\r\n]{0,500})/gi;
/**
 * A form that script has put together itself, files included, as the form that a page would send the same with; undefined for other requests.
 * @param accept the kinds of files that the page's field says to take
 */
export function sentForm(
  request: Explored['requests'][number],
  pageUrl: string,
  accept?: string,
): FormSurface | undefined {
  const { url, method, body = '', control } = request;
  const contentType = contentTypeOf(request);
  if (method !== 'POST' || !/^multipart\/form-data\b/i.test(contentType)) return undefined;
  const fields = [...body.matchAll(part)].slice(0, maxFields).map(([, name = '', rest = '', value = '']) => {
    const isFile = /\bfilename="/i.test(rest);
    const kinds = isFile && accept !== undefined ? { accept } : {};
    return { name, type: isFile ? 'file' : 'text', value: isFile || isTyped(value) ? '' : value, ...kinds };
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

const maxTagLength = 2_000;
const inputTag = new RegExp(`<input\\b[^<>]{0,${maxTagLength}}>`, 'gi');

/** The kinds of files that the fields of a page say to take, where all say the same. */
export function acceptedIn(states: readonly string[]): string | undefined {
  const tags = states.flatMap((html) => html.match(inputTag) ?? []);
  const fields = tags.filter((tag) => /\stype=["']?file\b/i.test(tag));
  const [accept, ...others] = new Set(fields.map((tag) => /\saccept="([^"]*)"/i.exec(tag)?.[1] ?? ''));
  return others.length === 0 && accept !== '' ? accept : undefined;
}

/**
 * A login whose fields script sends, as JSON or as a form does, as the form that a page would send the same with: what was typed in and
 * what stands on the control say what the names alone do not. Undefined for other requests.
 */
export function sentLogin(request: Explored['requests'][number], pageUrl: string): FormSurface | undefined {
  const { url, method, body = '', control } = request;
  const contentType = contentTypeOf(request).replace(/;.*$/s, '').trim().toLowerCase();
  const members = method === 'POST' && control !== undefined ? membersOf(contentType, body) : [];
  if (members.length === 0 || members.length > maxLoginFields) return undefined;
  const fields = members.map(([name, value]) => ({ name, type: typedInto(value), value: '' }));
  const form: FormSurface = {
    ...{ pageUrl: pageUrl.replace(/#.*$/s, ''), action: url, method: 'POST', enctype: contentType, fields },
    ...(control === undefined ? {} : { label: control }),
  };
  const isShown = fields.some(({ type }) => type !== 'hidden');
  return isShown && letsIn(form) && letsIn({ ...form, pageUrl: viewOf(pageUrl) }) ? form : undefined;
}

/** Routes behind "#" are pages to whoever reads them: "/#/signup". */
function viewOf(pageUrl: string): string {
  const { origin, pathname, hash } = new URL(pageUrl);
  const route = hash.replace(/^#!?\/?/, '');
  return route === '' ? pageUrl : `${origin}${pathname.replace(/\/?$/, '/')}${route}`;
}

const maxLoginFields = 4;

const contentTypeOf = ({ headers }: Explored['requests'][number]): string =>
  headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';

function membersOf(contentType: string, body: string): [name: string, value: unknown][] {
  if (contentType === 'application/x-www-form-urlencoded') return [...new URLSearchParams(body)];
  const root = contentType === 'application/json' ? parseJson(body) : undefined;
  return typeof root === 'object' && root !== null && !Array.isArray(root) ? Object.entries(root) : [];
}
