import type { FormSurface } from '../../model/surface.ts';
import { namedPath } from '../program-parts.ts';
import { isPlainButton } from './buttons.ts';
import { decoded } from './words/spelling.ts';
import type { Acting } from './words.ts';

/** Labels of a login form that has no word for login. */
const enteringWords =
  /^(?:enter(?: (?:site|here|now))?|let me in|come in|go in|get in|access|eintreten|entrer|acceder|accedi|entra)$/i;
const userNames =
  /^(?:(?:user|login|account|member)[-_.]?(?:name|id)?|uname|usr|uid|nick(?:[-_]?name)?|handle|benutzer(?:name)?|kennung|pseudo(?:nyme)?|identifiant|utilisateur|usuario|utente|gebruiker(?:snaam)?|e-?mail|name)$/i;
/** Where a name and a password make, change or find an account of somebody. */
const otherWords =
  /regist|sign[-_ ]?up|creat|new|add|join|becom|apply|enrol|reset|forgot|chang|invite|confirm|delet|remove|set[-_ ]?up|install|sav|updat|edit|import|connect|config|settings|wifi|smtp|database|share/i;
/** Of whom a page is about: "Enter" may enter one of them there, and "Come in" lets one of them in. */
const ofPeople = /users|accounts|members|people|staff|profile/i;
const ofAccounts = /users|accounts|profile/i;
const lettingIn = /^(?:let me|come|go|get) in$/i;

/** Says nothing of what is done: what opens an account in several pages says it, too. */
const neutralWords =
  /^(?:submit|go|ok(?:ay)?|next|continue|proceed|start|authenticate|verify|validate|check|weiter|absenden|valider|continuer|continuar|continua|verder)?$/i;
/** Names of pages for whoever has an account: "/auth" and "/session" may open one, too. */
const loginPage =
  /(?:^|[/_.-])(?:log-?_?[io]n|sign-?_?[io]n|anmeld(?:en|ung)|einloggen|connexion|iniciar-?_?sesion|entrar|accedi|inloggen|enter|entrance|access|admin(?:istrator|-?_?(?:panel|area))?|back-?_?end|portal|panel|private|secure)(?![a-z])/i;
/** What opens, changes or keeps an account, in languages besides English. */
const keepingWords =
  /anleg|erstell|speicher|änder|sichern|cré|inscri|enregistr|modif|guard|salv|cambi|criar|cadastr|zapis|utw[oó]rz|rejestr|opslaan|aanmak|созда|регистр|сохран|注册|保存|登録/iu;
/** What makes, keeps or takes something with the name and the password: "Encrypt", "Book", "Hand over". */
const doingWords =
  /\b(?:book|choose|(?:en|de)(?:code|crypt)|file|fill|generate|hand|hash|keep|link|log(?!\W?(?:in|on|me)\b)|make|pick|place|post|record|seal|set|sign(?!\W?(?:in|on|me)\b)|store|switch|sync|take|top up|track|upload|use)(?:s|ing)?\b|setz|schlüssel|buch|prot[eé]g|cifr|chiffr|réserv|reserv|gener|génér|genér|hinterleg/i;
/** What invites whoever has no account yet. */
const invitingWords =
  /get(?:ting)? started|\b(?:free|trial|try|begin|claim|play now|take part)\b|kostenlos|gratis|gratuit|loslegen|mitmachen|probieren|testen|essayer|commencer|comenzar|empezar|prueba|prova|inizia(?:re)?\b/i;
const maxLabel = 24;
/** A thing beside a password, or what is kept under one; "name" and "email" stand in the form of a new account, too. */
const configuring =
  /host|server|url|domain|data|db|path|file|ssid|network|card|iban|text|message|title|content|key|note|amount|^name$|mail/i;
/** What interfaces call where a name and a password come in, and nothing else. */
const enteringCall = /\/(?:connect|unlock|open|enter|in|access|identify)\/?$/i;
/** Beside other fields these words act. */
const openingWords = /^(?:connect|unlock|valider)$/i;
/** What a user is called by at a login alone: "name" and "email" stand in any form. */
const accountNames = /^(?:(?:user|login|account|member)[-_.]?(?:name|id)?|uname|usr|uid|benutzer(?:name)?)$/i;
/** What stands before a door: a name beside a password is that of whoever comes, and no new one. */
const openingDoor = /^(?:open|unlock|enter|access)(?: the \w+)?$/i;
const startPage = /^\/(?:index\.\w{1,5})?$/i;
/** A box beside it, for as long as the session lasts. */
const keepsSession = /remember|keep|stay|persist|angemeldet|souvenir|recordar/i;

/**
 * A name, a password and nothing else but how long the session lasts: a login with words of its own, where the button says that
 * somebody enters, or where it says nothing and the page's address is that of a login or the password is one that is there already.
 * On the first page of a site, where the name is that of an account, each label is one of a login that says nothing of a new one.
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
  const [name, secret, ...others] = visible.filter(
    (field) => !(field.type === 'checkbox' && keepsSession.test(field.name)),
  );
  const said = label.replace(/[^\p{L}]+/gu, ' ').trim();
  const isInterface = said === '' && enteringCall.test(namedPath(action));
  if (acting && !isInterface && !(openingWords.test(said) && acting.word === said.toLowerCase())) return false;
  if (method !== 'POST' || others.length > 0) return false;
  if (secret?.type !== 'password' || (name?.type !== 'text' && name?.type !== 'email')) return false;
  if (fields.some(({ autocomplete = '' }) => /new-password/i.test(autocomplete))) return false;
  if (isInterface) return accountNames.test(name.name);
  const places = [action, ...(pageUrl === undefined ? [] : [pageUrl])].map((url) => decoded(namedPath(url)));
  const named = [...places, secret.name].join(' ');
  if (otherWords.test(named) || (ofPeople.test(named) && !lettingIn.test(said))) return false;
  const isOld = /current-password/i.test(secret.autocomplete ?? '');
  const isNamed = name.name === 'name' && openingDoor.test(said);
  const isStart = startPage.test(places.at(-1) ?? '') && (isNamed || !configuring.test(name.name));
  if (isStart && saysNothingElse(said)) return true;
  if (!userNames.test(name.name) || name.value !== '' || secret.value !== '') return false;
  return (
    enteringWords.test(said) || (neutralWords.test(said) && (isOld || places.some((path) => loginPage.test(path))))
  );
}

/** "Board", "Connect", "Los": no word for what is done with an account but to come in. */
const saysNothingElse = (label: string): boolean =>
  label.length <= maxLabel &&
  !otherWords.test(label.replace(openingWords, '')) &&
  !ofPeople.test(label) &&
  !keepingWords.test(label) &&
  !doingWords.test(label) &&
  !invitingWords.test(label);

/** "Dive in", "Board": what a site calls it, where nothing is set up and nobody becomes anything. */
const isOwnWord = (label: string, name: string): boolean =>
  /\p{L}/u.test(label) && saysNothingElse(label) && !configuring.test(name) && !/\bsend/i.test(label);

const entersAs = '(?:log|sign)[- ]?(?:me )?(?:in|on)|enter|come back|return';
const joinsAs = 'regist\\w*|sign[- ]?(?:me )?up|join|(?:create|open|new|make)(?: an?| my)? account|start|begin';
const joiningOr = new RegExp(
  `\\b(?:${entersAs})\\b.{1,6}\\b(?:${joinsAs})\\b|\\b(?:${joinsAs})\\b.{1,6}\\b(?:${entersAs})\\b`,
  'i',
);

/** "Join or sign in": whoever is new is given an account by the same form. */
export const joinsOrEnters = (label = ''): boolean => joiningOr.test(label);

type EntranceForm = Parameters<typeof isEntering>[0];

/**
 * A name and a secret, and nothing that says what is done with them: most likely a login, as those of exercises under numbers, and else
 * something that a test system may show. Beside the name of somebody an empty secret may be a new one, which is not shown as it is typed.
 */
export function mayEnter(
  form: EntranceForm,
  visible: FormSurface['fields'],
  isSecret: (field: FormSurface['fields'][number]) => boolean,
): boolean {
  const { action, label = '', method, fields, pageUrl } = form;
  const secrets = visible.filter(isSecret);
  const [name] = visible.filter((field) => !isSecret(field));
  if (method !== 'POST' || visible.length !== 2 || secrets.length !== 1) return false;
  if (!/^(?:text|email)$/.test(name?.type ?? '') || !/^(?:text|password|number)$/.test(secrets[0]?.type ?? ''))
    return false;
  if (name?.value !== '' && secrets[0]?.value === '' && secrets[0].type !== 'text') return false;
  const saysNothing = neutralWords.test(label.trim()) || isPlainButton(label) || isOwnWord(label, name?.name ?? '');
  if (!saysNothing && !joinsOrEnters(label)) return false;
  if (fields.some(({ autocomplete = '' }) => /new-password|cc-|one-time/i.test(autocomplete))) return false;
  const places = [action, ...(pageUrl === undefined ? [] : [pageUrl])].map((url) => decoded(namedPath(url)));
  const named = [...places, ...visible.map((field) => field.name)].join(' ');
  // "Enter" at "/staff" lets one of them in; at "/users" it may make one.
  const isDoor = enteringWords.test(label.trim()) && accountNames.test(name?.name ?? '');
  const people = isDoor ? ofAccounts : ofPeople;
  return !otherWords.test(named) && !people.test(named) && !keepingWords.test(named);
}
