import { remembered } from './remembered.ts';

/** Names of tokens that sites give to what changes something. */
const tokenParameter =
  /^_?(?:wp_?nonce|sectok|csrf[-_]?\w*|xsrf[-_]?\w*|[\w-]*[-_]?(?:csrf|xsrf|nonce)|authenticity[-_]?token|form_?key|form_?hash|form[-_]?token|sess_?key|edit_?token|security_?token|s?token|__requestverificationtoken|verification_?token|request_?token|challenge_?token|anti_?forgery\w*|p_auth|atl_token|(?:\w{1,12}_)?post_key|confirm(?:ation)?[-_]?(?:token|key|code)|reset[-_]?(?:token|key|code)|unsubscribe[-_]?token|invite[-_]?token|activation[-_]?(?:key|code))$/i;
const isTokenName = remembered((name) => tokenParameter.test(name));
const minTokenLength = 4;
/** Names of tokens that are other things as well: these have values that nobody could guess. */
const hashParameter =
  /^(?:hash|tok|token|secret|auth|_?authenticator|chk|checksum|secure_?key|skey|sign_?key|[a-z]{2,5}_(?:token|crumb)|crumb\w*)$/i;
const hashValue = /^(?=.*\d)(?=.*[a-z])[\w.~+/=-]{12,}$/i;

/** A box that keeps what is chosen may have the token as its value. */
const keepingParameter = /remember|save|keep|store|persist/i;
const boxToken = /^(?=.*\d)(?=.*[a-z])[\da-z+/=\\]{24,}$/i;

/** Joomla's token is the name of its parameter: 32 hexadecimal digits, with the value 1. */
export const isToken = (name: string, value: string): boolean =>
  (isTokenName(name) && value.length >= minTokenLength) ||
  (hashParameter.test(name) && hashValue.test(value)) ||
  (boxToken.test(value) && keepingParameter.test(name)) ||
  (/^[0-9a-f]{32}$/.test(name) && value === '1');

/** What fields of a form are called that hold such a token, and what some sites call them anew for each session. */
const guarding =
  /token|csrf|xsrf|nonce|crumb|hash|key$|auth|secret|sess|verif|challenge|^(?=\w*\d)(?=\w*[a-f])[0-9a-f]{6,}$/i;
const guardValue = /^(?=.*\d)(?=.*[a-z])[\w.~+/=-]{8,}$/i;

/** A hidden field by which a form shows that its own site has made it. */
export const isGuard = (name: string, value: string): boolean => guarding.test(name) && guardValue.test(value);
