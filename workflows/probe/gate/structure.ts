import { namedPath } from '../program-parts.ts';
import { isAdding, isFinishing, isInstalling } from './adding.ts';
import { asksForText } from './asking.ts';
import { isPlainButton, isSubmitButton, isWorkingButton } from './buttons.ts';
import { makesCredential } from './credentials.ts';
import { isEntering, joinsOrEnters, mayEnter } from './entering.ts';
import type { FormKind } from './form-kind.ts';
import { commandNames, type Field, type Form } from './form-parts.ts';
import { keeps, looksUp } from './looking-up.ts';
import { plainName } from './plain-name.ts';
import { roleOfOthers } from './setting-roles.ts';
import { isNonceOfSignOn, isSignOn } from './sign-on.ts';
import { setsSite } from './site-settings.ts';
import { isUnlocking } from './unlocking.ts';
import { readAddress } from './urls.ts';
import { deeds } from './words/english.ts';
import {
  grantNames,
  loginWords,
  lookNames,
  secretNames,
  sensitiveAutocomplete,
  sensitiveNames,
} from './words/fields.ts';
import { regainsAccess, renewsPassword } from './words/passwords.ts';
import { recipientNames, sendingButtons } from './words/sending.ts';
import { decoded, folded, tokensOf, whole } from './words/spelling.ts';
import { actingInLabel, actingInName } from './words.ts';

/** What tools work with: a host to ask, an expression to evaluate. In a form that is posted, other names may be those of a thing. */
const operandNames =
  /^(?:ip|ip_?addr(?:ess)?|host(?:_?name)?|domain|target|url|uri|link|src|website|cmd|command|expr(?:ession)?|formula|query|template)$/i;
/** Where somebody keeps an account of their own. */
const ofOwnAccount = /setting|preference|account|profil|konto|cuenta|compte/i;
/** Where accounts are kept and changed: the address in such a form may be the one that somebody logs in by. */
const ofAccounts = new RegExp(`admin|user|member|team|staff|people|${ofOwnAccount.source}`, 'i');
const secretTypes = new Set(['password']);
const addressTypes = new Set(['email', 'tel']);

export function kindOfForm(form: Form): FormKind {
  const visible = form.fields.filter(isVisible);
  const found = actingInForm(form);
  const acting = found && settling.test(found.word) && choosesLook(visible) ? undefined : found;
  if (acting?.code === 'ends-session') return { kind: 'ends-session', word: acting.word };
  if (isLogin(form, visible) || isEntering(form, visible, acting) || isUnlocking(form, visible, acting))
    return { kind: 'login' };
  const named = visible.filter((field) => !isOfEntry(field, form, visible));
  const secrets = named.filter(isSecret);
  const isOwn = (field: Field): boolean => secrets.includes(field) && !paymentNames.test(field.name);
  if ((!acting || joinsOrEnters(form.label)) && mayEnter(form, visible, isOwn)) return { kind: 'entrance' };
  if (secrets.length > 0 || asksForPassword(form, visible)) return { kind: 'sensitive' };
  const role = roleOfOthers(form);
  if (role !== undefined) return { kind: 'would-act', word: role };
  const takesFile = visible.some(({ type }) => type === 'file');
  if (named.some(isAddress)) {
    if (takesFile || changesAddress(form, visible)) return { kind: 'sensitive' };
    if (isMessage(visible) && !standsAlready(visible)) return { kind: 'message' };
    const isOfAccount = ofAccounts.test(namedPath(form.action));
    return { kind: isOfAccount || (acting && !isAdding(acting.word)) ? 'sensitive' : 'addressed' };
  }
  const isAdded =
    acting !== undefined &&
    ((isAdding(acting.word) && (takesFile || visible.some(isText))) ||
      (takesFile && isInstalling(acting.word)) ||
      (isFinishing(acting.word) && (visible.some(isText) || form.fields.some(handsOver))) ||
      // "/comments/add/7" keeps a text of somebody, with the thing that it is about.
      (visible.some(isText) && acting.word === readAddress(form.action).mild));
  if (acting)
    return isAdded ? { kind: 'adds', word: acting.word, takesFile } : { kind: 'would-act', word: acting.word };
  if (visible.length === 0 && form.method === 'GET' && isSignOn(form.fields.map(({ name }) => name)))
    return { kind: 'reads' };
  if (isBare(form) && isSubmitButton(form.label ?? '')) return { kind: 'bare' };
  if (takesFile) return { kind: 'upload' };
  if (sendsText(form, visible)) return { kind: 'message' };
  if (looksUp(form, visible)) return { kind: 'reads' };
  if (makesCredential(form)) return { kind: 'credential' };
  if (setsSite(form)) return { kind: 'sets' };
  if (keeps(form, visible)) return { kind: 'keeps', isFilledIn: visible.some(isFilledIn) };
  if (asksForText(form, visible)) return { kind: 'asks' };
  return { kind: 'unknown', isTool: visible.some(isOperand) && !visible.some(isFilledIn) };
}

/** A login, or what may be one. */
export function letsIn(form: Form): boolean {
  const { kind } = kindOfForm(form);
  return kind === 'login' || kind === 'entrance';
}

/** A visitor chooses from a list how pages look to them. */
const choosesLook = (visible: readonly Field[]): boolean =>
  visible.length > 0 &&
  visible.every(({ name, type }) => (type === 'select' || type === 'radio') && lookNames.test(folded(name)));
const settling = /^(?:set|save|change|switch|choose|select|update|use|remember)/;

const isVisible = ({ type }: Field): boolean => type !== 'hidden' && type !== 'submit' && type !== 'image';

/** Of what it does its page says nothing but that it is posted: what it works with comes with the request, as cookies do. */
const isBare = ({ method, fields }: Pick<Form, 'method' | 'fields'>): boolean =>
  method === 'POST' && fields.every(({ name, type }) => name === '' || type === 'submit');

/** The word by which a form's address, buttons or commands say what it does. */
function actingInForm({ action, method, label = '', fields }: Form) {
  const commands = fields.filter(({ name, type }) => type === 'submit' || commandNames.test(plainName(name)));
  const texts = commands.flatMap(({ name, type, value }) => (type === 'submit' ? [name, value] : [value]));
  // "Send" alone says what is done where there is nothing to fill in: something that is there is sent.
  const asksForText = fields.some(
    ({ name, type }) => /^(?:text|search|url|textarea)$/.test(type) && (method === 'GET' || operandNames.test(name)),
  );
  const saysNothing = (text: string) =>
    (isPlainButton(text) && fields.some(isVisible)) ||
    (asksForText && isWorkingButton(text)) ||
    (isBare({ method, fields }) && isSubmitButton(text));
  const reported = [
    saysNothing(label) ? undefined : actingInLabel(label),
    ...texts.filter((text) => !saysNothing(text)).map(actingInName),
    ...fields.map(({ name }) => actingInField(name)),
    ...(method === 'POST' ? fields.map(deedIn) : []),
  ];
  const address = readAddress(action).acting;
  const all = [address, ...reported].filter((each) => each !== undefined);
  return (
    all.find(({ code }) => code === 'ends-session') ??
    // The gravest counts.
    all.find(({ word }) => !isAdding(word)) ??
    all[0]
  );
}

/** Names of fields are nouns: "order", "like", "send_copy"; those of sessions' ends are commands. */
const actingInField = (name: string) => {
  const acting = actingInName(name);
  return acting?.code === 'ends-session' ? acting : undefined;
};

/** A page with several forms for one thing says by a mark which of them is sent: "db_rename=true", "delete=1". */
const deed = whole(deeds);
const deedIn = ({ name, type, value }: Field) => {
  if (type !== 'hidden' || !/^(?:true|1|yes|on|y)$/i.test(value)) return undefined;
  const word = tokensOf(name).find((token) => deed.test(token));
  return word === undefined ? undefined : { code: 'would-act' as const, word };
};

const isSecret = ({ name, type, autocomplete = '' }: Field): boolean =>
  secretTypes.has(type) || /\b(?:password|one-time-code|cc-)/i.test(autocomplete) || isSecretName(name);

/** A text that somebody keeps for themselves under a heading, as a note: it is shown as it is typed, and lets nobody in. */
const isOfEntry = ({ name, type, autocomplete }: Field, { action }: Form, visible: readonly Field[]): boolean =>
  isText({ type }) &&
  !autocomplete &&
  entrySecret.test(spelled(name)) &&
  visible.some((other) => isText(other) && headingName.test(spelled(other.name))) &&
  !ofAccounts.test(namedPath(action));
const entrySecret = /^(?:my[-_]?)?secret(?:[-_]?(?:note|text|message|content|body))?$/i;
const headingName = /(?:^|[-_])(?:title|subject|heading|headline|topic)$/i;

/** What is paid with is no secret of an account. */
const paymentNames = /card|cc|cv[vc]|csc|iban|bic|swift|ssn|routing|account|otp|2fa|mfa|api/i;

const isSecretName = (name: string): boolean => {
  const match = sensitiveNames.exec(spelled(name));
  return match !== null && !addressNames.test(match[0]);
};
const addressNames = /mail|correo|courriel|tel|phone|mobile|handy/i;

/** Somebody without a password asks for one by a name: it is sent to whoever has that name. */
function asksForPassword({ action, label = '', fields, isSearch }: Form, visible: readonly Field[]): boolean {
  if (isSearch || visible.some(({ type }) => type === 'search')) return false;
  const { pathname, searchParams } = new URL(action);
  const commands = fields.filter(({ name, type }) => type === 'submit' || commandNames.test(plainName(name)));
  const reported = [pathname, ...searchParams.values(), label, ...commands.flatMap(({ name, value }) => [name, value])];
  const words = reported.map((text) => folded(decoded(text).replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')));
  if (words.some((text) => renewsPassword.test(text.replaceAll(cardOfVisitor, '')))) return true;
  return visible.length === 1 && visible.every(({ name }) => calledBy.test(name)) && regainsAccess.test(pathname);
}

/** What an account is found by. */
const calledBy = /^(?:user_?(?:name|id)?|login|account|e-?_?mail)$/i;

/** What lets a visitor in is no password: "get a pass", "a day pass". */
const cardOfVisitor = /\b(?:an?|day|visitors?|guest|trial|season|boarding|travel) pass\b/g;

const isAddress = ({ name, type, autocomplete = '' }: Field): boolean =>
  addressTypes.has(type) || sensitiveAutocomplete.test(autocomplete) || sensitiveNames.test(spelled(name));

/** "newPassword" is "new_Password". */
const spelled = (name: string): string => decoded(name).replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2');

/** A person's address beside a text, or alone: a contact form, a newsletter. */
const isMessage = (visible: readonly Field[]): boolean =>
  visible.some(({ type }) => type === 'textarea') || visible.filter(isTyped).every(isAddress);

/**
 * A person's address alone, whose place or button speaks of what somebody has, or which stands in its field already and is not just
 * sent.
 */
function changesAddress({ action, label = '' }: Form, visible: readonly Field[]): boolean {
  const typed = visible.filter(isTyped);
  if (!typed.every(isAddress) || visible.some(({ type }) => type === 'textarea')) return false;
  const isKept = standsAlready(visible) && !isSending(label);
  return isKept || ofOwnAccount.test(namedPath(action)) || settling.test(folded(label));
}

const standsAlready = (visible: readonly Field[]): boolean =>
  visible.filter(isTyped).every(isAddress) && visible.some((field) => isAddress(field) && field.value.includes('@'));

const recipient = new RegExp(`^${recipientNames}$`, 'u');
const sendingButton = new RegExp(`^(?:${folded(sendingButtons)})$`, 'u');
const isSending = (label: string): boolean => sendingButton.test(folded(label).replace(/[^\p{L}\p{M}]+/gu, ''));

/** A conversation of some, who are told of what is said there. */
const privateTalk =
  /\/(?:(?:private|direct|personal)[-_]?(?:threads?|topics?|messages?|messaging|conversations?|chats?|discussions?)|(?:threads?|topics?|messages?|conversations?|chats?|discussions?)[-_/]private)(?:\/|$)/i;

/** A long text that a button sends, or that is meant for somebody, and any text in a private conversation. */
const sendsText = ({ action, label = '', method }: Form, visible: readonly Field[]): boolean =>
  (method !== 'GET' && privateTalk.test(namedPath(action)) && visible.some(isText)) ||
  (visible.some(({ type }) => type === 'textarea') &&
    (isSending(label) || visible.some(({ name }) => recipient.test(folded(spelled(name))))));

const isText = ({ type }: Pick<Field, 'type'>): boolean => /^(?:text|textarea|url|search)$/.test(type);

/** Long enough for what was filled in before, as a page hands it on. */
const minHandedOver = 24;

/** A hidden value in which a form takes over what the steps before it were sent. */
const handsOver = (field: Field): boolean =>
  field.type === 'hidden' && field.value.length >= minHandedOver && !isTokenField(field);

const isOperand = ({ name, type }: Field): boolean => isText({ type }) && operandNames.test(name);

const isFilledIn = (field: Field): boolean => isTyped(field) && field.value !== '';

/** A form of which a file is kept. */
export function takesUpload(form: Form): boolean {
  const kind = kindOfForm(form);
  return kind.kind === 'upload' || (kind.kind === 'adds' && kind.takesFile);
}

const isTyped = ({ type }: Field): boolean => !['checkbox', 'radio', 'select', 'button', 'reset'].includes(type);

/** Where interfaces give a token for a name and a password. */
const tokenPath = /\/(?:tokens?|jwt)(?:\/(?:obtain|pair|create))?\/?$/i;

/** A name and one password, which may be shown as it is typed, and nothing that says that an account is made or changed. */
function isLogin({ action, label = '', fields }: Form, visible: readonly Field[]): boolean {
  const isOpenPassword = ({ type, name }: Field) => type === 'text' && secretNames.test(name) && loginWords.test(label);
  const own = visible.filter(({ name }) => !grantNames.test(name));
  const passwords = own.filter((field) => field.type === 'password' || isOpenPassword(field));
  const texts = own.filter((field) => ['text', 'email', 'tel'].includes(field.type) && !passwords.includes(field));
  const reported = `${decoded(namedPath(action))} ${label}`.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  const isNew = fields.some(({ autocomplete = '' }) => /new-password/i.test(autocomplete));
  const isForToken = tokenPath.test(namedPath(action));
  return (
    passwords.length === 1 &&
    texts.length >= 1 &&
    texts.length <= 2 &&
    !isNew &&
    (loginWords.test(reported) || isForToken) &&
    !/regist|sign[-_ ]?up|create|reset|forgot|change|invite/i.test(
      isForToken ? reported.replace(/create/i, '') : reported,
    )
  );
}

/** Hidden fields by which sites distinguish their own pages from others: what brings one along changes something, unless it looks up. */
export const isTokenField = ({ name, type, value }: Field): boolean =>
  type === 'hidden' &&
  value.length >= 8 &&
  /csrf|xsrf|token|nonce|authenticity|verification|antiforgery|sectok|sess_?key|form_?key|form_?hash/i.test(name);

/** One of the fields holds such a token. */
export function takesToken({ fields }: Pick<Form, 'fields'>): boolean {
  const names = fields.map(({ name }) => name);
  return fields.some((field) => isTokenField(field) && !isNonceOfSignOn(field.name, names));
}
