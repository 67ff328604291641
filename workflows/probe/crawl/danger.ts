import type { FormSurface } from '../../checks/contract.ts';
import { endsSession } from '../session-words.ts';

/**
 * Words of links that do something instead of showing something: delete, pay, send, set up again. Those that end the session are elsewhere.
 * A crawler that follows them harms the site, or its own session.
 */
const actions = [
  'delete|remove|destroy|drop|erase|purge|wipe|truncate|trash|löschen|loeschen|supprimer|eliminar|borrar|verwijder',
  'unsubscribe|deactivate|disable|suspend|ban|block|revoke|cancel|reset|restore|rollback|kündigen',
  'pay|checkout|purchase|buy|add-?to-?cart|donate|refund|transfer|withdraw',
  'send|send-?mail|mail-?to|resend|invite|notify|publish|vote|approve|reject|confirm',
  'install|setup|set-?up|upgrade|migrate|import|shutdown|restart|reboot|kill|execute|exec',
].join('|');

const dangerous = new RegExp(`(?:^|[^\\p{L}])(?:${actions})(?:[^\\p{L}]|$)`, 'iu');

/** Why a link is not followed, or undefined when it only shows something. */
export function dangerOf(url: string, text: string): string | undefined {
  const { pathname, search } = new URL(url);
  const word = wordIn(words(pathname + search)) ?? wordIn(words(shortText(text)));
  return word === undefined ? undefined : `${danger}: "${word.replace(/[^\p{L}-]/gu, '')}"`;
}

/** Whether a form ends the session, by where it goes, what stands on its buttons, and the command that it sends. */
export function leavesSession({ action, label = '', fields }: FormSurface): boolean {
  const { pathname, search } = new URL(action);
  const commands = fields.filter(({ name, type }) => type === 'submit' || commandNames.test(name));
  const texts = [pathname + search, label, ...commands.flatMap(({ name, value }) => [name, value])];
  return texts.some((text) => endsSession.test(words(text)));
}

/** Fields whose value says what is to be done. */
const commandNames = /^(?:_?method|_?action|act|cmd|command|do|op|operation|task|event|mode)$/i;

/** The word of a control's text, name or code for what acts instead of showing something. */
export const commandIn = (text: string): string | undefined => wordIn(words(text));

const wordIn = (text: string): string | undefined => (endsSession.exec(text) ?? dangerous.exec(text))?.[0];

const danger = 'the link may do something';

/** Whether a link was not followed because of what it may do, by the reason that was given then. */
export const isDanger = (reason: string): boolean => reason.startsWith(danger);

/** Names of headlines and products are not commands; those of buttons are short. */
const shortText = (text: string) => (text.trim().split(/\s+/).length <= 3 ? text : '');

/** "deleteUser" is "delete User". */
const words = (text: string) => decoded(text.replaceAll('+', ' ')).replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
