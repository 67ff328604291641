import { createPrivateKey } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { percentDecoded } from '../../../kit/percent.ts';
import { parseJson } from '../../model/json.ts';
import { bitsPerCharacter } from '../pages/entropy.ts';

/** What people write where a key is to be filled in. */
const madeUp = /example|sample|dummy|placeholder|replace|your|fake|test_?key|1234567|abcdef|x{4,}|0{6,}|(.)\1{5,}/i;

/**
 * Whether the last characters are as random as an issuer makes them.
 * @param minBits of a character: random base62 has 4.2 in texts of 36 characters, hexadecimal 3.5; examples and words have less
 */
export const isRandom = (length: number, minBits: number) => (value: string) => {
  const random = value.slice(-length);
  return bitsPerCharacter(random) >= minBits && !madeUp.test(random);
};

/** By chance, and no words: letters and digits in turns. What a payment gives its payer ("pi_…_secret_…") and tokens of a session are none. */
export const isUnguessable = (value: string): boolean =>
  isRandom(24, 3.2)(value) && /(?:\d\D*){4}/.test(value) && /[a-z]/i.test(value) && !/_secret_|^eyJ/.test(value);

/**
 * The last six characters are the CRC-32 of those after the prefix, in base62.
 * Source: https://github.blog/engineering/behind-githubs-new-authentication-token-formats/
 */
export function hasCheckSum(token: string): boolean {
  const [, random = '', sum = ''] = /^[a-z]+_(\w{30})(\w{6})$/.exec(token) ?? [];
  return sum === base62(crc32(random)).padStart(6, '0');
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base62 = (number: number): string =>
  (number >= 62 ? base62(Math.floor(number / 62)) : '') + (digits[number % 62] ?? '');

/** The claims of a JSON Web Token, when it is one. */
function claimsOf(token: string): object | undefined {
  const claims = jsonIn(token.split('.')[1] ?? '');
  return jsonIn(token.split('.')[0] ?? '') && claims;
}

function jsonIn(base64: string): object | undefined {
  const value = parseJson(Buffer.from(base64, 'base64url').toString('utf8'));
  return typeof value === 'object' && value !== null ? value : undefined;
}

/** The role "anon" of Supabase is for browsers; "service_role" passes by every rule. A claim that is a password is one. */
export function isServiceToken(token: string): boolean {
  const claims = claimsOf(token);
  if (claims === undefined) return false;
  if ('role' in claims && claims.role === 'service_role') return true;
  return Object.entries(claims).some(
    ([name, value]) =>
      /^(?:password|passwd|secret|client_secret|private_key)$/i.test(name) && typeof value === 'string' && value !== '',
  );
}

export function isPrivateKey(text: string): boolean {
  const pem = text.replace(/\\r/g, '').replace(/\\n/g, '\n');
  if (pem.includes('OPENSSH')) {
    const data = Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64').toString('latin1');
    // The cipher "none": nobody needs a passphrase.
    return data.startsWith('openssh-key-v1\0\0\0\0\x04none');
  }
  try {
    return createPrivateKey(pem).type === 'private';
  } catch {
    return false;
  }
}

/** The first part is the account's number, in base64. Source: Discord, "Reference", snowflakes and tokens. */
export function isDiscordToken(token: string): boolean {
  const number = Buffer.from(token.split('.')[0] ?? '', 'base64').toString('latin1');
  return /^\d{17,20}$/.test(number) && isRandom(27, 3.8)(token);
}

/** A macaroon, version 2, of "pypi.org". Source: PyPI, "API tokens"; libmacaroons. */
export const isPypiToken = (token: string): boolean =>
  Buffer.from(token.slice('pypi-'.length), 'base64url').toString('latin1').startsWith('\x02\x01\x08pypi.org') &&
  isRandom(40, 4)(token);

const bech32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** Source: BIP 173, "Checksum". */
export function isBech32(text: string): boolean {
  const lower = text.toLowerCase();
  const split = lower.lastIndexOf('1');
  const prefix = [...lower.slice(0, split)].map((char) => char.charCodeAt(0));
  const values = [...lower.slice(split + 1)].map((char) => bech32.indexOf(char));
  if (split < 1 || values.includes(-1)) return false;
  let sum = 1;
  for (const value of [...prefix.map((code) => code >> 5), 0, ...prefix.map((code) => code & 31), ...values]) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    for (const [index, generator] of generators.entries()) if ((top >> index) & 1) sum ^= generator;
  }
  return sum >>> 0 === 1;
}

/** An account's number stands in the name of a key, in base32. Source: AWS, IAM unique identifiers. */
export const isAwsKeyId = (id: string): boolean =>
  /^(?:AKIA|ASIA)[A-Z2-7]{16}$/.test(id) && !/EXAMPLE|(.)\1{5}/.test(id);

/** The 40 characters of a secret key are base64: letters of both cases and digits, and no word or path. */
export const isAwsSecret = (value: string): boolean =>
  bitsPerCharacter(value) >= 4.2 &&
  /[a-z]/.test(value) &&
  /[A-Z]/.test(value) &&
  /\d/.test(value) &&
  !/example|\/{2}/i.test(value);

/** "name:password" in base64, whose password nobody made up. Source: RFC 7617 §2. */
export function isBasicCredential(value: string): boolean {
  const text = Buffer.from(value.slice('Basic '.length), 'base64').toString('latin1');
  const [, name = '', password = ''] = /^([\w.@+-]{1,64}):([!-~]{8,100})$/.exec(text) ?? [];
  return (
    name !== '' && bitsPerCharacter(password) >= 2.8 && !madeUp.test(password) && !/pass(?:word|wd)/i.test(password)
  );
}

/** What is escaped as it is meant; bytes that are no text, and signs that escape nothing, are left out. */
function meant(password: string): string {
  const escaped = password.replace(/%(?![\da-f]{2})/gi, '');
  return percentDecoded(escaped) ?? escaped.replace(/%[\da-f]{2}/gi, '');
}

/** A password in a URL of a database, whose host is not the reader's own machine or an example. */
export function isDatabaseUrl(value: string): boolean {
  const url = URL.parse(value);
  const password = url?.password ?? '';
  const host = url?.hostname ?? '';
  return (
    password.length >= 6 &&
    bitsPerCharacter(password) >= 2.3 &&
    !/^(?:pass(?:word|wd)?\d{0,3}|secret|postgres|root|admin|user|mysql|mongo|redis|guest|changeme|\W+)$/i.test(
      password,
    ) &&
    !madeUp.test(password) &&
    !/[<>{}$*[\]%]|x{3,}/i.test(meant(password)) &&
    !/^(?:localhost|127\.|host$|hostname$|db$|\[?::1)|example\.|\.(?:test|invalid|local)$/i.test(host)
  );
}
