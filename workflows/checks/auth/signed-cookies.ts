import { createHash } from 'node:crypto';
import { hmac } from '../sessions/hmac.ts';
import { signedByHand } from './signed-by-hand.ts';
import { type CookieValue, jsonOf, type SignedCookie } from './signed-cookie.ts';

type Format = {
  maker: string;
  pattern: RegExp;
  /** Base64 as the framework writes it. */
  encode(text: string): string;
  decode(payload: string): string;
  separator: '.' | ':';
  time(now: Date): string;
  /** Of the content and the time. */
  sign(secret: string, text: string): Buffer;
};

const sha1 = (text: string) => createHash('sha1').update(text).digest();
const fromBase64url = (payload: string): string => Buffer.from(payload, 'base64url').toString('utf8');
const djangoSalt = 'django.contrib.sessions.backends.signed_cookiessigner';

/** Sources: itsdangerous (Signer.derive_key), Flask (SecureCookieSessionInterface), Starlette (SessionMiddleware), Django (signing, signed_cookies). */
const formats: readonly Format[] = [
  {
    maker: 'Flask',
    pattern: /^(\.?[\w-]{2,4000})\.([\w-]{4,10})\.([\w-]{27})$/,
    encode: (text) => Buffer.from(text).toString('base64url'),
    decode: fromBase64url,
    separator: '.',
    time: secondsIn,
    sign: (secret, text) => hmac('sha1', hmac('sha1', secret, 'cookie-session'), text),
  },
  {
    maker: 'Starlette',
    pattern: /^([\w+/]{2,4000}={0,2})\.([\w-]{4,10})\.([\w-]{27})$/,
    encode: (text) => Buffer.from(text).toString('base64'),
    decode: (payload) => Buffer.from(payload, 'base64').toString('utf8'),
    separator: '.',
    time: secondsIn,
    sign: (secret, text) => hmac('sha1', sha1(`itsdangerous.Signersigner${secret}`), text),
  },
  {
    maker: 'Django',
    pattern: /^(\.?[\w-]{2,4000}):([0-9A-Za-z]{4,8}):([\w-]{43})$/,
    encode: (text) => Buffer.from(text).toString('base64url'),
    decode: fromBase64url,
    separator: ':',
    time: secondsInBase62,
    sign: (secret, text) =>
      hmac(
        'sha256',
        createHash('sha256')
          .update(djangoSalt + secret)
          .digest(),
        text,
      ),
  },
];

/** The signed sessions among cookies that one answer or session has. */
export function signedCookies(cookies: readonly CookieValue[], now: () => Date): SignedCookie[] {
  return cookies.flatMap((cookie) => [
    ...formats.flatMap((format) => timed(cookie, format, now) ?? []),
    ...(besideSignature(cookie, cookies) ?? []),
    ...signedByHand(cookie),
  ]);
}

/** The content, the time and the signature of both, between dots. */
function timed({ name, value }: CookieValue, format: Format, now: () => Date): SignedCookie | undefined {
  const [, payload = '', time = '', signature = ''] = format.pattern.exec(value.replace(/^"|"$/g, '')) ?? [];
  if (signature === '') return undefined;
  const sign = (secret: string, text: string) => format.sign(secret, text).toString('base64url');
  const json = payload.startsWith('.') ? undefined : jsonOf(format.decode(payload));
  if (json === undefined && !payload.startsWith('.')) return undefined;
  return {
    ...{ name, maker: format.maker, json },
    isSignedWith: (secret) => sign(secret, `${payload}${format.separator}${time}`) === signature,
    signed(secret, changed) {
      const content = changed === undefined ? payload : format.encode(changed);
      const text = `${content}${format.separator}${format.time(now())}`;
      return [{ name, value: `${text}${format.separator}${sign(secret, text)}` }];
    },
  };
}

/** Bytes of the seconds without leading zeros. */
function secondsIn(time: Date): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(Math.floor(time.getTime() / 1_000));
  return bytes.toString('base64url');
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function secondsInBase62(time: Date): string {
  let [left, text] = [Math.floor(time.getTime() / 1_000), ''];
  while (left > 0) [left, text] = [Math.floor(left / 62), digits.charAt(left % 62) + text];
  return text;
}

/** A cookie of JSON, and its signature in one beside it. Sources: cookie-session, keygrip (Node). */
function besideSignature({ name, value }: CookieValue, cookies: readonly CookieValue[]): SignedCookie[] | undefined {
  const given = cookies.find((other) => other.name === `${name}.sig`)?.value;
  const json = jsonOf(Buffer.from(value, 'base64').toString('utf8'));
  if (given === undefined || json === undefined) return undefined;
  const sign = (secret: string, text: string) => hmac('sha1', secret, `${name}=${text}`).toString('base64url');
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
