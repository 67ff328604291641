import { createHash, createHmac } from 'node:crypto';
import { parseJson } from '../../model/json.ts';

export type CookieValue = { name: string; value: string };

/** A cookie that a framework signs and keeps the session in, readable by everybody. */
export type SignedCookie = {
  name: string;
  /** What makes such cookies, for readers. */
  maker: string;
  /** JSON of the session; undefined where it is compressed. */
  json: string | undefined;
  /** Whether the signature is one with this secret. */
  isSignedWith(secret: string): boolean;
  /** The cookies of such a session, signed anew and in other bytes, with other content perhaps. */
  signed(secret: string, json?: string): CookieValue[];
};

type Format = {
  maker: string;
  pattern: RegExp;
  /** Base64 as the framework writes it. */
  encode(text: string): string;
  decode(payload: string): string;
  key(secret: string): Buffer;
};

const sha1 = (text: string) => createHash('sha1').update(text).digest();
const hmac = (key: string | Buffer, text: string) => createHmac('sha1', key).update(text).digest();

/** Sources: itsdangerous (Signer.derive_key), Flask (SecureCookieSessionInterface), Starlette (SessionMiddleware). */
const formats: readonly Format[] = [
  {
    maker: 'Flask',
    pattern: /^(\.?[\w-]{2,4000})\.([\w-]{4,10})\.([\w-]{27})$/,
    encode: (text) => Buffer.from(text).toString('base64url'),
    decode: (payload) => Buffer.from(payload, 'base64url').toString('utf8'),
    key: (secret) => hmac(secret, 'cookie-session'),
  },
  {
    maker: 'Starlette',
    pattern: /^([\w+/]{2,4000}={0,2})\.([\w-]{4,10})\.([\w-]{27})$/,
    encode: (text) => Buffer.from(text).toString('base64'),
    decode: (payload) => Buffer.from(payload, 'base64').toString('utf8'),
    key: (secret) => sha1(`itsdangerous.Signersigner${secret}`),
  },
];

/** The signed sessions among cookies that one answer or session has. */
export function signedCookies(cookies: readonly CookieValue[], now: () => Date): SignedCookie[] {
  return cookies.flatMap((cookie) => [
    ...formats.flatMap((format) => timed(cookie, format, now) ?? []),
    ...(besideSignature(cookie, cookies) ?? []),
  ]);
}

/** The content, the time and the signature of both, between dots. */
function timed({ name, value }: CookieValue, format: Format, now: () => Date): SignedCookie | undefined {
  const [, payload = '', time = '', signature = ''] = format.pattern.exec(value.replace(/^"|"$/g, '')) ?? [];
  if (signature === '') return undefined;
  const sign = (secret: string, text: string) => hmac(format.key(secret), text).toString('base64url');
  const json = payload.startsWith('.') ? undefined : jsonOf(format.decode(payload));
  if (json === undefined && !payload.startsWith('.')) return undefined;
  return {
    ...{ name, maker: format.maker, json },
    isSignedWith: (secret) => sign(secret, `${payload}.${time}`) === signature,
    signed(secret, changed) {
      const content = changed === undefined ? payload : format.encode(changed);
      const text = `${content}.${secondsIn(now())}`;
      return [{ name, value: `${text}.${sign(secret, text)}` }];
    },
  };
}

/** Bytes of the seconds without leading zeros. */
function secondsIn(time: Date): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(Math.floor(time.getTime() / 1_000));
  return bytes.toString('base64url');
}

/** A cookie of JSON, and its signature in one beside it. Sources: cookie-session, keygrip (Node). */
function besideSignature({ name, value }: CookieValue, cookies: readonly CookieValue[]): SignedCookie[] | undefined {
  const given = cookies.find((other) => other.name === `${name}.sig`)?.value;
  const json = jsonOf(Buffer.from(value, 'base64').toString('utf8'));
  if (given === undefined || json === undefined) return undefined;
  const sign = (secret: string, text: string) => hmac(secret, `${name}=${text}`).toString('base64url');
  return [
    {
      ...{ name, maker: 'cookie-session', json },
      isSignedWith: (secret) => sign(secret, value) === given,
      signed(secret, changed = json) {
        const text = Buffer.from(` ${changed}`).toString('base64');
        return [
          { name, value: text },
          { name: `${name}.sig`, value: sign(secret, text) },
        ];
      },
    },
  ];
}

function jsonOf(text: string): string | undefined {
  const value = /^\s*\{/.test(text) ? parseJson(text) : undefined;
  return typeof value === 'object' && value !== null ? text : undefined;
}
