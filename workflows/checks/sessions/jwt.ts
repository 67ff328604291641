import { timingSafeEqual } from 'node:crypto';
import type { ForgedToken } from '../../model/experiment.ts';
import type { Identity } from '../../model/identity.ts';
import { parseJson } from '../../model/json.ts';
import { hmac } from './hmac.ts';

/** A signed JSON Web Token. Source: RFC 7515 §3.1, RFC 7518 §3.2, RFC 7519. */
export type Jwt = {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  signed: string;
  signature: Buffer;
};

const hashes: Record<string, 'sha256' | 'sha384' | 'sha512'> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' };
const compact = /^([\w-]{8,4096})\.([\w-]{2,8192})\.((?:[\w-]{20,2048})?)$/;
/** A token in a cookie may have a scheme before it, as in a header, and quotes around both; percent-encoded or not. */
const inCookie = /^((?:%22|")?(?:(?:Bearer|JWT|Token)(?:%20|[ +:=]))?)([\w-]+\.[\w-]+\.[\w-]*)((?:%22|")?)$/i;

/** @returns undefined when the text is not a token with an HMAC */
export function parseJwt(text: string): Jwt | undefined {
  const jwt = parseAnyJwt(text);
  return jwt && String(jwt.header.alg) in hashes ? jwt : undefined;
}

/** @returns undefined when the text is not a token, whatever the algorithm; only "none" has no signature (RFC 7518 §3.6) */
export function parseAnyJwt(text: string): Jwt | undefined {
  const [, head, body, signature] = compact.exec(text) ?? [];
  if (head === undefined || body === undefined || signature === undefined) return undefined;
  const [header, claims] = [parsePart(head), parsePart(body)];
  if (!header || !claims || typeof header.alg !== 'string') return undefined;
  if ((signature === '') !== /^none$/i.test(header.alg)) return undefined;
  return { header, claims, signed: `${head}.${body}`, signature: Buffer.from(signature, 'base64url') };
}

function parsePart(part: string): Record<string, unknown> | undefined {
  const value = parseJson(Buffer.from(part, 'base64url').toString('utf8'));
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

/** The keys that a written secret can stand for: its characters, or bytes that it encodes. */
export function keysOf(secret: string): Buffer[] {
  const keys = [Buffer.from(secret, 'utf8')];
  if (/^[0-9a-f]{32,}$/i.test(secret) && secret.length % 2 === 0) keys.push(Buffer.from(secret, 'hex'));
  if (/^(?:base64:)?[\w+/-]{16,}={0,2}$/.test(secret)) keys.push(Buffer.from(secret.replace(/^base64:/, ''), 'base64'));
  return keys;
}

/** How the key is written in the secret that stands for it. */
export function spellingOf(secret: string, key: Buffer): 'text' | 'hex' | 'base64' {
  if (key.equals(Buffer.from(secret, 'utf8'))) return 'text';
  return key.equals(Buffer.from(secret, 'hex')) ? 'hex' : 'base64';
}

/** The hash of a token's HMAC. */
export const hashOf = ({ header }: Jwt): 'sha256' | 'sha384' | 'sha512' => hashes[String(header.alg)] ?? 'sha256';

/** The key under which the signature is right, if one of the secret's is. Nothing is sent for this. */
export function keyThatSigned(jwt: Jwt, secret: string): Buffer | undefined {
  return keysOf(secret).find((key) => {
    const expected = mac(jwt.header, jwt.signed, key);
    return expected.length === jwt.signature.length && timingSafeEqual(expected, jwt.signature);
  });
}

const mac = (header: Record<string, unknown>, signed: string, key: Buffer): Buffer =>
  hmac(hashes[String(header.alg)] ?? 'sha256', key, signed);

export function signJwt(header: Record<string, unknown>, claims: Record<string, unknown>, key: Buffer): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${mac(header, signed, key).toString('base64url')}`;
}

/** How a reader makes a token of these claims out of the session's own. */
export const forgedFrom = (
  identity: string,
  carried: CarriedJwt,
  made: Pick<ForgedToken, 'token' | 'signature'> & {
    header?: Record<string, unknown>;
    claims?: Record<string, unknown>;
  },
): ForgedToken => ({
  token: made.token,
  identity,
  carrier: { in: carried.in, name: carried.name, ...(carried.prefix ? { prefix: carried.prefix } : {}) },
  ...(made.header ? { header: JSON.stringify(made.header) } : {}),
  ...(made.claims ? { claims: changesBetween(carried.jwt.claims, made.claims) } : {}),
  signature: made.signature,
});

/** Times are left as they are: a reader's token is a fresh one. */
const changesBetween = (before: Record<string, unknown>, after: Record<string, unknown>) =>
  Object.entries(after)
    .map(([name, value]) => ({ name, from: JSON.stringify(before[name]), to: JSON.stringify(value) }))
    .filter(({ name, from, to }) => from !== to && !['exp', 'iat', 'nbf'].includes(name))
    .map(({ name, from, to }) => ({ name, to, ...(before[name] === undefined ? {} : { from }) }));

/** A token of a session and how to send another one in its place. */
export type CarriedJwt = {
  jwt: Jwt;
  /** Of the cookie or header. */
  name: string;
  in: 'cookie' | 'header';
  /** What stands before it in a cookie. */
  prefix?: string;
  headersWith(url: string, token: string): [string, string][];
};

/** The tokens with an HMAC in an identity's cookies and headers; everything else of the session is kept when one is replaced. */
export const jwtsOf = (identity: Identity): CarriedJwt[] => tokensOf(identity, parseJwt);

/** The same, whatever the algorithm. */
export const anyJwtsOf = (identity: Identity): CarriedJwt[] => tokensOf(identity, parseAnyJwt);

function tokensOf({ jar, headers }: Identity, parse: (text: string) => Jwt | undefined): CarriedJwt[] {
  const cookies = jar.all();
  const inCookies = cookies.flatMap(({ name, value }): CarriedJwt[] => {
    const [, prefix = '', token = value, suffix = ''] = inCookie.exec(value) ?? [];
    const jwt = parse(token);
    const others = (url: string) =>
      jar
        .header(url)
        .split('; ')
        .filter((pair) => pair !== '' && !pair.startsWith(`${name}=`));
    return jwt
      ? [
          {
            jwt,
            name,
            in: 'cookie',
            ...(prefix === '' ? {} : { prefix }),
            headersWith: (url, forged) => [
              ...headers,
              ['Cookie', [...others(url), `${name}=${prefix}${forged}${suffix}`].join('; ')],
            ],
          },
        ]
      : [];
  });
  const inHeaders = headers.flatMap(([name, value], index): CarriedJwt[] => {
    const [scheme = '', token = value] = /^(\w+ +)?(\S+)$/.exec(value)?.slice(1) ?? [];
    const jwt = parse(token);
    if (!jwt) return [];
    const others = headers.filter((_, other) => other !== index);
    const cookie = (url: string): [string, string][] => (jar.header(url) === '' ? [] : [['Cookie', jar.header(url)]]);
    return [
      { jwt, name, in: 'header', headersWith: (url, forged) => [...others, ...cookie(url), [name, scheme + forged]] },
    ];
  });
  return [...inCookies, ...inHeaders];
}
