import type { FormSurface, InputSurface } from '../../model/surface.ts';
import { partRoute } from '../../probe/program-parts.ts';
import { isPageToken, sentFields } from '../../survey/form-inputs.ts';

/** A filler has to be plausible where the site demands a title. */
const filler = 'audit';

/** The smallest that begins as a picture does. */
const picture = { ending: 'gif', type: 'image/gif', content: 'GIF89a;' };
const text = { ending: 'txt', type: 'text/plain', content: 'audit' };
const table = { ending: 'csv', type: 'text/csv', content: 'audit,audit' };
const document = { ending: 'pdf', type: 'application/pdf', content: '%PDF-1.4' };

/** A file of a kind that a field says to take; without a word on that a picture, which most take. */
function fileFor(accept: string): typeof picture {
  if (accept === '' || /\bgif\b|image\/\*/i.test(accept)) return picture;
  // Of other pictures the name is as good: few sites look at both.
  if (/\bpng\b/i.test(accept)) return { ...picture, ending: 'png' };
  if (/\bjpe?g\b/i.test(accept)) return { ...picture, ending: 'jpg' };
  if (/text\/plain|\.te?xt\b/i.test(accept)) return text;
  if (/csv/i.test(accept)) return table;
  return /pdf/i.test(accept) ? document : picture;
}

/**
 * The name of the file that a form sends, and what is typed beside it, each as an input: a name comes from the visitor as any text does.
 * @param typed types of fields that people type into
 */
export function fileNames(form: FormSurface, typed: RegExp): InputSurface[] {
  const field = form.fields.find(({ type }) => type === 'file');
  if (!field) return [];
  const sent = sentFields(form.fields);
  const pairs = [...sent, field].map(({ name, type, value }) => ({
    name,
    value: value === '' && (typed.test(type) || type === 'file') ? filler : value,
  }));
  const { action: url, pageUrl } = form;
  const tokens = sent.filter(isPageToken).map(({ name }) => ({ field: name }));
  const place = { method: 'POST', url, route: partRoute(url), in: 'body' as const, sample: '' };
  return [...sent.filter(({ type }) => typed.test(type)), field].map(({ name }) => ({
    ...place,
    parameter: name,
    others: pairs.filter((pair) => pair.name !== name),
    contentType: 'multipart/form-data',
    page: { url: pageUrl, tokens },
    file: { field: field.name, ...fileFor(field.accept ?? '') },
  }));
}
