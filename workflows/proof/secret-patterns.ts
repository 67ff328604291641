import { mask } from './mask.ts';

/** How one kind of secret looks, and what stands for it afterwards. */
type SecretPattern = { pattern: RegExp; replace: (...match: string[]) => string };

/** What the commands of a proof set a variable by. */
const ownCommand = '\\$\\((?:curl|printf|awk) ';

/** What a setting of such a name is when it is no secret, as in `withCredentials = true`. */
const plainWord = `(?:true|false|null)(?![^\\s"'<>&,;{}‹›])`;

/** Names that announce a secret: password, api_key, accessToken, … */
const secretName =
  '(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|credential|session[_-]?id|jwt)';

/** Also as it stands in a text in JSON, and in a page. */
const anyQuote = `\\\\?["']|&quot;|&#3[49];`;

/** A value behind a name that announces a secret. */
function setting(opening: string, value: string): SecretPattern {
  const name = `(?<![\\w.-])[\\w.-]{0,40}?${secretName}[\\w.-]{0,20}(?:${anyQuote})?`;
  const before = `(${name}\\s{0,3}(?:=>|:=|[:=])\\s{0,3}${opening})`;
  const after = `(?!\\[masked, |‹|${ownCommand}|${plainWord})(${value})`;
  return { pattern: new RegExp(before + after, 'gi'), replace: keepFirst };
}

/** Whole-match secrets: formats that issuers publish, anchored so that a scan starts once per word. */
const formats = [
  // RFC 7468; ends at the next line of dashes.
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[^-]|-(?!----))*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
  // RFC 7519 and RFC 7516: a base64url header that begins with {" and two or four further parts.
  /(?<![\w-])eyJ[\w-]{5,}(?:\.[\w-]*){2,4}/g,
  /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  /(?<![A-Za-z0-9_])(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_\w{20,255}|glpat-[\w-]{20,255}|npm_[A-Za-z0-9]{36})/g,
  /(?<![A-Za-z0-9_])(?:[srp]k|whsec)_(?:(?:live|test)_)?[A-Za-z0-9]{16,255}/g,
  /(?<![A-Za-z0-9_])xox[abeoprs]-[\w-]{10,255}/g,
  /(?<![\w-])AIza[\w-]{35}/g,
  /(?<![\w-])SG\.[\w-]{16,64}\.[\w-]{16,64}/g,
  /(?<![A-Za-z0-9_])sa_[A-Za-z0-9]{8}_[A-Za-z0-9]{38}(?![A-Za-z0-9])/g,
];

/** RFC 5322 addr-spec as it occurs in practice. It gives no access, but it is personal data. */
const mailAddress = /(?<![\w.%+-])[\w.%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g;

const masksWhole = (pattern: RegExp): SecretPattern => ({ pattern, replace: (whole) => mask(whole ?? '') });

/**
 * What lets somebody in: keys, tokens, passwords. Every pattern takes time that grows linearly with the text: repetitions are bounded, or start at a boundary.
 * A pattern with groups keeps the first and masks the second.
 */
export const credentialPatterns: readonly SecretPattern[] = [
  ...formats.map(masksWhole),
  // user:password@ of a URL, RFC 3986 §3.2.1
  { pattern: /(:\/\/)([^\s/?#@[\]"'<>]{1,256})(?=@)/g, replace: keepFirst },
  { pattern: /\b((?:Bearer|Basic|Negotiate) {1,3})([\w.~+/=-]{8,4096})/g, replace: keepFirst },
  // name = "value of any words", 'name' => 'value'
  ...['"', "'"].map((quote) => setting(quote, `(?:[^${quote}\\\\\n‹›]|\\\\.){4,4096}(?=${quote})`)),
  // name = "value", name: value, "name": "value"; also in a query
  setting(`(?:${anyQuote})?`, `[^\\s"'<>&,;{}‹›]{4,4096}`),
  // <input name="csrf_token" … value="…">
  {
    pattern: new RegExp(
      `(name=["']?[\\w.-]{0,40}?(?:${secretName}|csrf|xsrf|nonce)[\\w.-]{0,20}["']?[^<>]{0,200}?\\svalue=["'])(?!\\[masked, |‹)([^"'<>]{4,4096})`,
      'gi',
    ),
    replace: keepFirst,
  },
];

/** Everything that is masked wherever it stands. */
export const secretPatterns: readonly SecretPattern[] = [...credentialPatterns, masksWhole(mailAddress)];

function keepFirst(_whole: string, kept = '', secret = ''): string {
  return kept + mask(secret);
}
