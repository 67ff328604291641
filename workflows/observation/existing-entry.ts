import type { FormSurface } from '../model/surface.ts';
import { kindOfForm } from '../probe/gate/structure.ts';
import { isFreeText } from './document-submission.ts';

const identifierNames = /^_?(?:id|uuid|guid|pk|key)$|[_-](?:id|uuid|guid)$|[a-z](?:Id|ID|Uuid|UUID)$/;
const identifiers = /^(?:\d{1,20}|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|[\da-f]{24})$/i;
/** What the browser types where nothing stands. */
const typed = /^test+$/i;

/**
 * Whether a request that a page's script has sent names an entry that is there and gives back the texts that it has, as the rows of
 * a table do that can be edited: with other texts it would change that entry, and nothing shows whose it is.
 */
export function changesEntry(form: FormSurface): boolean {
  if (!form.fields.some(({ name, value }) => identifierNames.test(name) && identifiers.test(value))) return false;
  const texts = form.fields.filter(({ value }) => value !== '' && isFreeText(value) && !identifiers.test(value));
  const own = texts.filter(({ value }) => !typed.test(value) && /\p{Lu}|\s/u.test(value));
  return own.length > 0 && 2 * own.length >= texts.length && !['reads', 'login'].includes(kindOfForm(form).kind);
}
