import { bitsPerCharacter } from '../checks/pages/entropy.ts';
import { escapePattern, firstMatch } from '../proof/pattern.ts';

/** A text in source code that is used to sign sessions or tokens. */
export type FoundSecret = {
  value: string;
  /** The name that it is given, or the function that it is passed to. */
  name: string;
  /** Finds the value by what stands before it: the first group. */
  pattern: string;
};

/** Names of settings that hold a key for signing: JWT_SECRET, secretKey, session.secret, secret_key_base, … */
const name =
  '[\\w.-]{0,40}?(?:(?:jwt|token|session|cookie|sign(?:ing)?|hmac|auth|app|hs\\d{3})[\\w.-]{0,12}(?:secret|key)|secret(?:[._-]?(?:key|token)(?:[._-]?base)?)?)[\\w.-]{0,12}';

/** Each has the text before the value as its first group, the name as its second, and the value as its last. */
const forms: readonly RegExp[] = [
  // NAME=value, name: value, in files of settings: to the end of the line
  new RegExp(
    `^([ \\t]{0,40}(?:export[ \\t]+)?(${name})[ \\t]{0,5}[:=][ \\t]{0,5})([^\\s"'\`#]{8,512})[ \\t]*\\r?$`,
    'gim',
  ),
  // name = "value", "name": "value", 'name' => 'value', define('NAME', 'value')
  new RegExp(
    `((?<![\\w.-])["']?(${name})["']?\\]?\\s{0,5}(?::=|=>|[:=,])\\s{0,5}(?:\\[\\]byte\\(|b|r|@)?["'\`])([^"'\`\\s]{8,512})(?=["'\`])`,
    'gi',
  ),
  // process.env.NAME || "value", os.environ.get("NAME", "value"), getenv("NAME") ?: "value"
  new RegExp(
    `((?<![\\w-])(${name})["']?\\]?\\)?\\s{0,5}(?:\\|\\||\\?\\?|\\?:|,|or)\\s{0,5}["'\`])([^"'\`\\s]{8,512})(?=["'\`])`,
    'gi',
  ),
  // jwt.sign(payload, "value"), JWT::encode($payload, 'value'), createHmac("sha256", "value")
  /(\b(jwt(?:\.|::)(?:sign|verify|encode|decode)|jsonwebtoken\.\w+|createHmac|hmac\.new|hmacShaKeyFor|cookieParser|cookieSession)\((?:[^()"'`;]{0,80}(?:\([^()]{0,80}\))?[^()"'`;]{0,40},\s{0,5}|["']sha\d{3}["'],\s{0,5})?["'`])([^"'`\s]{8,512})(?=["'`])/gi,
];

const settingsFile = /(?:^|\/)(?:\.env[\w.-]*|[\w.-]*\.(?:env|ini|conf|cfg|properties|ya?ml|toml|sh))$/i;

/** What stands in for a secret that is elsewhere. */
const placeholder =
  /^(?:\$|<|%|\{\{|process\.env|os\.environ|env\(|getenv|config\.|settings\.|self\.|this\.|null|none|undefined|true|false)|(?:change[_-]?me|your[_-]|placeholder|example|replace|insert|xxxx|\*{3}|dummy|to-?do)/i;

/**
 * Values that by their form, the name before them and their randomness are keys for signing.
 * @param isKey says of any value whether it is known to be one, whatever it looks like
 */
export function findSigningSecrets(path: string, text: string, isKey: (value: string) => boolean): FoundSecret[] {
  const found = new Map<string, FoundSecret>();
  for (const [index, form] of forms.entries()) {
    if (index === 0 && !settingsFile.test(path)) continue;
    for (const match of text.matchAll(form)) {
      const [, before = '', named = '', value = ''] = match;
      if (!isKey(value) && (placeholder.test(value) || !isRandom(value))) continue;
      const pattern = patternFor(text, before, value);
      if (pattern !== undefined && !found.has(value)) found.set(value, { value, name: named.trim(), pattern });
    }
  }
  return [...found.values()];
}

/** Below this a value is a word that was chosen to be replaced. A random key of 12 characters has more. */
const minBits = 36;
const isRandom = (value: string): boolean => {
  if (/^[a-z]+(?:[-_. ][a-z]+)+$/i.test(value)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  return kinds >= 2 && bitsPerCharacter(value) >= 2.8 && bitsPerCharacter(value) * value.length >= minBits;
};

/** The value is what follows its surroundings up to the next quote or space, and nothing of the value is in the pattern. */
function patternFor(text: string, before: string, value: string): string | undefined {
  const quoted = /["'`]$/.test(before);
  const pattern = `${escapePattern(before)}(${quoted ? '[^"\'`\\s]' : '[^\\s"\'`#]'}+)`;
  return firstMatch(pattern, text)?.groups[0] === value ? pattern : undefined;
}
