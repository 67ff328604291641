import { voucherWords } from './voucher-words.ts';

/** What is known of a field or button of a page, in a browser or in HTML. Texts are "" when there are none. */
export type FieldTraits = {
  /** As HTML has it, in lower case: "text", "password", "submit", … */
  type: string;
  name: string;
  id: string;
  autocomplete: string;
  /** Placeholder, label, or what stands on a button. */
  label: string;
};

const typed = new Set(['text', 'email', 'tel', 'number', 'password', 'url']);

const wordsOf = ({ name, id, label }: FieldTraits): string => `${name} ${id} ${label}`;

export const isPasswordField = ({ type, autocomplete }: FieldTraits): boolean =>
  type === 'password' && !/\bone-time-code\b/i.test(autocomplete);

const userWords =
  /user|e-?mail|log-?[io]n|account|ident|benutzer|konto|utilisateur|courriel|usuario|utente|gebruiker|phone|nick/i;
const otherTextWords = /search|such|quer(?:y|ies)|^q\b|newsletter|coupon|captcha|company|first.?name|last.?name/i;

/** How much a field looks like that for the user name; 0 when it cannot be it. */
export function usernameScore(field: FieldTraits): number {
  if (!['text', 'email', 'tel'].includes(field.type) || isCodeField(field)) return 0;
  if (/\b(?:username|email|webauthn)\b/i.test(field.autocomplete)) return 4;
  if (field.type === 'email') return 3;
  if (userWords.test(wordsOf(field))) return otherTextWords.test(wordsOf(field)) ? 1 : 3;
  return otherTextWords.test(wordsOf(field)) ? 0 : 1;
}

const codeWords =
  /\botp\b|totp|2fa|mfa|two.?factor|one.?time|(?:verification|security|auth\w{0,20}|access|login|confirm\w{0,20}).?code|passcode|(?:^|[\s_.[-])code(?:$|[\s_.\]-])|(?:auth\w{0,20}|otp|device)_?token|bestätigungscode|sicherheitscode|einmal/i;

/** The field for a one-time code: not that for what a picture shows, and not that for a voucher. */
export function isCodeField(field: FieldTraits): boolean {
  if (!typed.has(field.type)) return false;
  if (/\bone-time-code\b/i.test(field.autocomplete)) return true;
  const isOther = /captcha|zip|post|country|invite/i.test(wordsOf(field)) || voucherWords.test(wordsOf(field));
  return !isOther && codeWords.test(wordsOf(field));
}

const otherButtons =
  /forgot|reset|lost|regist|sign.?up|create|cancel|back|google|facebook|apple|github|microsoft|linkedin|twitter|\bsso\b|passkey|show|hide|resend|vergessen|abbrechen|zurück|oublié|annuler|olvid|cancelar/i;
const goingOnButtons =
  /log.?[io]n|sign.?in|continue|next|submit|verif|enter|anmelden|einloggen|weiter|connexion|connecter|suivant|iniciar|entrar|siguiente|acced|accedi|avanti|inloggen|volgende|logga|zaloguj|войти|вход|登录|登入|ログイン|로그인/i;

/** How much a button looks like the one that goes on with a login; negative when it leads elsewhere. */
export function buttonScore(button: FieldTraits): number {
  const words = wordsOf(button);
  if (otherButtons.test(words)) return -1;
  return (button.type === 'submit' ? 1 : 0) + (goingOnButtons.test(words) ? 2 : 0);
}
