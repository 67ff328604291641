import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a session token says. */
type TokenClaims = { jti: string; sub: number; name: string; role: string; iat: number; exp: number };

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const mac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest();

/** A JSON Web Token signed with HS256 (RFC 7519, RFC 7515). */
export function signToken(secret: string, claims: TokenClaims): string {
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${text}.${mac(secret, text).toString('base64url')}`;
}

/** The claims of a token, or undefined when it is malformed, expired or not signed with this secret by HS256. */
export function readToken(secret: string, token: string): TokenClaims | undefined {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const expected = mac(secret, `${header}.${payload}`);
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const { alg } = parse(header);
  const { jti, sub, name, role, iat, exp } = parse(payload);
  if (alg !== 'HS256' || typeof sub !== 'number' || typeof exp !== 'number') return undefined;
  if (exp * 1_000 <= Date.now()) return undefined;
  return { jti: String(jti), sub, name: String(name), role: String(role), iat: Number(iat), exp };
}

function parse(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
