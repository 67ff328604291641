import type { FormSurface } from '../../model/surface.ts';
import { namedPath } from '../program-parts.ts';
import { readAddress } from './urls.ts';
import { loginWords } from './words/fields.ts';
import { decoded } from './words/spelling.ts';
import type { Acting } from './words.ts';

/** A code or a password of a thing instead of a person. */
const lockNames = /^(?:.*[._-])?(?:pin|pin[-_]?code|otp|passcode|access[-_]?code|pass(?:word|phrase)?|pwd?)$/i;
/** What stands on the button that opens something with it. */
const unlockingWords =
  /(?:^|[^\p{L}])(?:enter|open|unlock|access|view|show|check|submit|verify|go|offnen|öffnen|entsperren|zugang|ouvrir|entrer|abrir|acceder|apri|accedi)(?:$|[^\p{L}])/iu;
/** What asks for a password of one's own to change something, or for a new one. */
const otherWords =
  /regist|sign[-_ ]?up|create|reset|forgot|change|invite|confirm|delete|remove|set[-_ ]?(?:up|pass|pin)|install|sav|updat|new/i;

/** One secret that opens something, with no name beside it. */
export function isUnlocking(
  { action, label = '', method }: Pick<FormSurface, 'action' | 'label' | 'method'>,
  visible: FormSurface['fields'],
  acting: Acting | undefined,
): boolean {
  // "Unlock" on a button opens what the code is for; in an address it frees an account.
  if (acting && (!/^unlock$/i.test(acting.word) || readAddress(action).acting)) return false;
  const [secret, ...others] = visible;
  if (!secret || others.length > 0 || method !== 'POST') return false;
  if (secret.type !== 'password' && !(secret.type === 'text' && lockNames.test(secret.name))) return false;
  if (/new-password|one-time-code/i.test(secret.autocomplete ?? '')) return false;
  const reported = `${decoded(namedPath(action))} ${label}`.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  return (unlockingWords.test(label) || loginWords.test(reported)) && !otherWords.test(reported);
}
