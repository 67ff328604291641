import type { FormSurface } from '../../model/surface.ts';
import { decoded } from './words/spelling.ts';
import type { Acting } from './words.ts';

/** What stands on the door of a site, in place of a word for its login. */
const enteringWords =
  /^(?:enter(?: (?:site|here|now))?|let me in|come in|go in|get in|access|eintreten|entrer|acceder|accedi|entra)$/i;
const userNames =
  /^(?:(?:user|login|account|member)[-_.]?(?:name|id)?|uname|usr|uid|nick(?:[-_]?name)?|handle|benutzer(?:name)?|e-?mail|name)$/i;
/** Where a name and a password make, change or find an account of somebody. */
const otherWords =
  /regist|sign[-_ ]?up|creat|new|add|join|reset|forgot|chang|invite|confirm|delet|remove|set[-_ ]?up|install|sav|updat|edit|import|connect|config|settings|users|accounts|members|people|staff|profile|wifi|smtp|database|share/i;

/**
 * A name, a password and nothing else, whose button says that somebody enters: a login with words of its own.
 * "Continue" is no such word: what opens an account in several pages says it, too.
 */
export function isEntering(
  {
    action,
    label = '',
    method,
    fields,
    pageUrl,
  }: Pick<FormSurface, 'action' | 'label' | 'method' | 'fields'> & Partial<Pick<FormSurface, 'pageUrl'>>,
  visible: FormSurface['fields'],
  acting: Acting | undefined,
): boolean {
  if (acting || method !== 'POST' || visible.length !== 2) return false;
  const [name, secret] = visible;
  if (secret?.type !== 'password' || (name?.type !== 'text' && name?.type !== 'email')) return false;
  if (!userNames.test(name.name) || name.value !== '' || secret.value !== '') return false;
  if (fields.some(({ autocomplete = '' }) => /new-password/i.test(autocomplete))) return false;
  const said = label.replace(/[^\p{L}]+/gu, ' ').trim();
  const places = [action, ...(pageUrl === undefined ? [] : [pageUrl])].map((url) => decoded(new URL(url).pathname));
  return enteringWords.test(said) && !otherWords.test([...places, secret.name].join(' '));
}
