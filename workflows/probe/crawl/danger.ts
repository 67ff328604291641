/**
 * Words of links that do something instead of showing something: end the session, delete, pay, send, set up again.
 * A crawler that follows them harms the site, or its own session.
 */
const actions = [
  'log-?out|log-?off|sign-?out|sign-?off|abmelden|deconnexion|déconnexion|salir|cerrar-?sesion|uitloggen|logga-?ut|wyloguj',
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
  const word = dangerous.exec(words(pathname + search))?.[0] ?? dangerous.exec(words(shortText(text)))?.[0];
  return word === undefined ? undefined : `the link may do something: "${word.replace(/[^\p{L}-]/gu, '')}"`;
}

/** Names of headlines and products are not commands; those of buttons are short. */
const shortText = (text: string) => (text.trim().split(/\s+/).length <= 3 ? text : '');

/** "deleteUser" is "delete User". */
const words = (text: string) => decoded(text).replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
