import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * The word that a target is given to call back with, one for each probe: base32 (RFC 4648 §6, lower case) of the run's id, a
 * random part and a code that only who has the installation's secret can make. It is one DNS label (RFC 1035 §2.3.4), survives
 * resolvers that change the case of names, and is checked without asking anybody.
 */
const runBytes = 16;
const nonceBytes = 5;
const codeBytes = 9;
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** Characters of a token. */
const callbackTokenLength = ((runBytes + nonceBytes + codeBytes) * 8) / 5;

/** Texts that may hold tokens are cut here: the longest host, or a path that a check asks for. */
const maxTextLength = 1_024;
const maxTokensInText = 4;
const candidates = new RegExp(`[a-z2-7]{${callbackTokenLength}}`, 'g');

/** @param runId of the run whose probe it is, a UUID */
export function newCallbackToken(secret: string, runId: string): string {
  const body = Buffer.concat([Buffer.from(runId.replaceAll('-', ''), 'hex'), randomBytes(nonceBytes)]);
  return encode(Buffer.concat([body, codeOf(secret, body)]));
}

/** The run that a token was made for; undefined when it was not made with this secret. */
function runOfCallbackToken(secret: string, token: string): string | undefined {
  const bytes = decode(token);
  if (bytes === undefined) return undefined;
  const body = bytes.subarray(0, runBytes + nonceBytes);
  if (!timingSafeEqual(bytes.subarray(runBytes + nonceBytes), codeOf(secret, body))) return undefined;
  const digits = body.subarray(0, runBytes).toString('hex');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The valid tokens in a host name, a path or an address; of a text that has many, the first few. */
export function callbackTokensIn(secret: string, text: string): { token: string; runId: string }[] {
  const found = text.slice(0, maxTextLength).toLowerCase().match(candidates)?.slice(0, maxTokensInText) ?? [];
  return [...new Set(found)].flatMap((token) => {
    const runId = runOfCallbackToken(secret, token);
    return runId === undefined ? [] : [{ token, runId }];
  });
}

const codeOf = (secret: string, body: Uint8Array): Buffer =>
  createHmac('sha256', secret).update('callback').update(body).digest().subarray(0, codeBytes);

function encode(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.replace(/.{5}/g, (group) => alphabet[Number.parseInt(group, 2)] ?? '');
}

function decode(token: string): Buffer | undefined {
  if (token.length !== callbackTokenLength || /[^a-z2-7]/.test(token)) return undefined;
  const bits = Array.from(token, (digit) => alphabet.indexOf(digit).toString(2).padStart(5, '0')).join('');
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}
