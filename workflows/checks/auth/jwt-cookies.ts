import { parseJson } from '../../model/json.ts';
import { keyThatSigned, parseJwt, signJwt } from '../sessions/jwt.ts';
import type { CookieValue, SignedCookie } from './signed-cookie.ts';

/** The tokens with an HMAC among cookies that one answer or session has. */
export const jwtCookies = (cookies: readonly CookieValue[]): SignedCookie[] =>
  cookies.flatMap(({ name, value }) => {
    const jwt = parseJwt(value);
    if (!jwt) return [];
    return [
      {
        ...{ name, maker: 'JWT', json: JSON.stringify(jwt.claims) },
        isSignedWith: (secret) => keyThatSigned(jwt, secret) !== undefined,
        signed: (secret, json) => {
          const claims = json === undefined ? jwt.claims : objectOf(json);
          const key = keyThatSigned(jwt, secret) ?? Buffer.from(secret);
          return [{ name, value: signJwt(jwt.header, claims, key) }];
        },
      },
    ];
  });

function objectOf(json: string): Record<string, unknown> {
  const value = parseJson(json);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
