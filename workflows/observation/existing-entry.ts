import { isIdentifier } from '../checks/sessions/objects.ts';
import type { FormSurface } from '../model/surface.ts';
import { kindOfForm } from '../probe/gate/structure.ts';
import { isTyped } from '../survey/sent-forms.ts';
import { isFreeText } from './document-submission.ts';

const identifierNames = /^_?(?:id|uuid|guid|pk|key)$|[_-](?:id|uuid|guid)$|[a-z](?:Id|ID|Uuid|UUID)$/;

/**
 * Whether a request that a page's script has sent names an entry that is there and gives back the texts that it has, as the rows of
 * a table do that can be edited: with other texts it would change that entry, and nothing shows whose it is.
 */
export function changesEntry(form: FormSurface): boolean {
  if (!form.fields.some(({ name, value }) => identifierNames.test(name) && isIdentifier(value))) return false;
  const texts = form.fields.filter(({ value }) => value !== '' && isFreeText(value) && !isIdentifier(value));
  const own = texts.filter(({ value }) => !isTyped(value) && /\p{Lu}|\s/u.test(value));
  return own.length > 0 && 2 * own.length >= texts.length && !['reads', 'login'].includes(kindOfForm(form).kind);
}
