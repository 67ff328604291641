import { createPrivateKey } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { bitsPerCharacter } from './entropy.ts';

/** A kind of secret that can be told by its form alone. */
export type SecretFormat = {
  name: string;
  /** RE2 and JavaScript; the whole match is the secret. Bounded, so that it takes linear time in both. */
  pattern: string;
  /** The check sum, the structure or the randomness that a made-up example lacks. */
  isGenuine(value: string): boolean;
};

/** Random base62 has 4.2 bits a character in texts of this length, hexadecimal 3.5; examples and words have less. */
const isRandom = (length: number, minBits: number) => (value: string) => {
  const random = value.slice(-length);
  return (
    bitsPerCharacter(random) >= minBits && !/example|sample|dummy|placeholder|1234567|abcdef|x{4,}|0{6,}/i.test(random)
  );
};

/**
 * Formats of secrets that must never be in a browser. Those that issuers mean to be public (Stripe's pk_, Google's AIza, Sentry's DSN,
 * Mapbox's pk., Firebase's configuration) are not among them. Sources: the issuers' documentation.
 */
export const secretFormats: readonly SecretFormat[] = [
  { name: 'a GitHub token', pattern: 'gh[pousr]_[A-Za-z0-9]{36}', isGenuine: hasCheckSum },
  { name: 'an npm token', pattern: 'npm_[A-Za-z0-9]{36}', isGenuine: hasCheckSum },
  { name: 'a secret key of Stripe', pattern: '[sr]k_live_[A-Za-z0-9]{24,247}', isGenuine: isRandom(24, 3.5) },
  {
    name: 'a token of Slack',
    pattern: 'xox[bp]-[0-9]{10,13}-[0-9]{10,13}-[A-Za-z0-9-]{24,80}',
    isGenuine: isRandom(24, 3.5),
  },
  {
    name: 'a webhook of Slack',
    pattern: 'https://hooks\\.slack\\.com/services/T[A-Z0-9]{8,12}/B[A-Z0-9]{8,12}/[A-Za-z0-9]{24}',
    isGenuine: isRandom(24, 3.5),
  },
  {
    name: 'an API key of SendGrid',
    pattern: 'SG\\.[\\w-]{22}\\.[\\w-]{43}',
    isGenuine: isRandom(43, 4),
  },
  // "T3BlbkFJ" is "OpenAI" in base64, which the issuer puts into its keys.
  {
    name: 'an API key of OpenAI',
    pattern: 'sk-(?:proj-|svcacct-|admin-)?[\\w-]{20,100}T3BlbkFJ[\\w-]{20,100}',
    isGenuine: isRandom(20, 3.3),
  },
  {
    name: 'an API key of Anthropic',
    pattern: 'sk-ant-(?:api|admin)[0-9]{2}-[\\w-]{93}AA',
    isGenuine: isRandom(95, 4),
  },
  { name: 'an access token of Shopify', pattern: 'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}', isGenuine: isRandom(32, 3) },
  { name: 'a token of DigitalOcean', pattern: 'do[por]_v1_[a-f0-9]{64}', isGenuine: isRandom(64, 3.3) },
  {
    name: 'a service key of Supabase',
    pattern: 'eyJ[\\w-]{10,200}\\.eyJ[\\w-]{20,1000}\\.[\\w-]{43}',
    isGenuine: isServiceRole,
  },
  {
    name: 'a private key',
    pattern:
      '-----BEGIN (?:RSA |EC )?PRIVATE KEY-----(?:\\\\r|\\\\n|[A-Za-z0-9+/=\\s]){100,}-----END (?:RSA |EC )?PRIVATE KEY-----',
    isGenuine: isPrivateKey,
  },
];

/**
 * The last six characters are the CRC-32 of those after the prefix, in base62.
 * Source: https://github.blog/engineering/behind-githubs-new-authentication-token-formats/
 */
function hasCheckSum(token: string): boolean {
  const [, random = '', sum = ''] = /^[a-z]+_(\w{30})(\w{6})$/.exec(token) ?? [];
  return sum === base62(crc32(random)).padStart(6, '0');
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base62 = (number: number): string =>
  (number >= 62 ? base62(Math.floor(number / 62)) : '') + (digits[number % 62] ?? '');

/** The role "anon" is for browsers; "service_role" passes by every rule of the database. */
function isServiceRole(token: string): boolean {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return typeof claims === 'object' && claims !== null && 'role' in claims && claims.role === 'service_role';
  } catch {
    return false;
  }
}

function isPrivateKey(text: string): boolean {
  try {
    return createPrivateKey(text.replace(/\\r/g, '').replace(/\\n/g, '\n')).type === 'private';
  } catch {
    return false;
  }
}

/** A secret in a text, by its format. */
export type FormedSecret = { format: SecretFormat; value: string };

/** Genuine secrets in a text, each once. Neighbouring word characters would make it a part of something else. */
export function secretsIn(text: string): FormedSecret[] {
  const found = new Map<string, FormedSecret>();
  for (const format of secretFormats)
    for (const [value] of text.matchAll(new RegExp(`(?<![\\w-])${format.pattern}(?![\\w])`, 'g')))
      if (!found.has(value) && format.isGenuine(value)) found.set(value, { format, value });
  return [...found.values()];
}
