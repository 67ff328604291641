import { createHash } from 'node:crypto';
import { percentDecodedOrSame } from '../../../kit/percent.ts';
import { hmac } from '../sessions/hmac.ts';
import { type CookieValue, jsonOf, type SignedCookie } from './signed-cookie.ts';

/** How programs sign a text with a secret, and what they write. */
type Signing = (secret: string, text: string) => Buffer;

const hashes = ['sha1', 'sha256', 'sha512', 'md5'] as const;
const signings: readonly Signing[] = hashes.flatMap((hash): Signing[] => [
  (secret, text) => hmac(hash, secret, text),
  (secret, text) =>
    createHash(hash)
      .update(secret + text)
      .digest(),
  (secret, text) =>
    createHash(hash)
      .update(text + secret)
      .digest(),
]);

/** A content, a sign, and the signature in hexadecimal digits or base64; Express writes "s:" before it. */
const pattern = /^(s:)?(.{4,4000}?)(--|[.|:~])([0-9a-f]{32,128}|[\w+/-]{22,88}={0,2})$/is;

/** How a content is JSON: as it is, behind the "j:" of Express, or in base64. */
const writings = [
  { read: (content: string) => content, write: (json: string) => json },
  { read: (content: string) => content.replace(/^j:/, ''), write: (json: string) => `j:${json}` },
  {
    read: (content: string) => Buffer.from(content, 'base64').toString('utf8'),
    write: (json: string) => Buffer.from(json).toString('base64'),
  },
] as const;

/**
 * A cookie of JSON with a plain signature behind it. Sources: cookie-signature (Express), rack-session, and programs that sign with
 * an HMAC or a digest of a secret and the content.
 */
export function signedByHand({ name, value }: CookieValue): SignedCookie[] {
  const text = percentDecodedOrSame(value);
  const [, mark = '', content = '', sign = '', signature = ''] = pattern.exec(text) ?? [];
  const writing = writings.find(({ read }) => jsonOf(read(content)) !== undefined);
  const json = writing && jsonOf(writing.read(content));
  if (!writing || json === undefined) return [];
  const encoding = /^(?:[0-9a-f]{2})+$/i.test(signature) ? 'hex' : 'base64';
  const given = Buffer.from(signature, encoding);
  const fitting = signings.filter((signing) => signing('', '').length === given.length);
  const signingWith = (secret: string) => fitting.find((signing) => signing(secret, content).equals(given));
  const written = (bytes: Buffer): string => {
    if (encoding === 'hex') return bytes.toString('hex');
    const base64 = bytes.toString(/[-_]/.test(signature) ? 'base64url' : 'base64');
    return signature.endsWith('=') ? base64 : base64.replace(/=+$/, '');
  };
  return [
    {
      ...{ name, maker: 'signed', json },
      isSignedWith: (secret) => signingWith(secret) !== undefined,
      signed(secret, changed = json) {
        const signing = signingWith(secret) ?? fitting[0];
        // In other bytes than those that were given.
        const own = writing.write(changed.replace(/^\s*\{/, '{ '));
        return [
          { name, value: encodeURIComponent(mark + own + sign + written(signing?.(secret, own) ?? Buffer.alloc(0))) },
        ];
      },
    },
  ];
}
