import { parseAnyJwt } from '../sessions/jwt.ts';

/** A value that a client keeps, changed in one place. */
export type ChangedValue = {
  /** For the reader: `"role" from "user" to "admin"`. */
  what: string;
  value: string;
};

/**
 * Tokens whose claims say that their sender may do more, as no verifier may accept them: with `alg: none` and no signature (RFC 7518
 * §3.6, RFC 8725 §2.1), and under the signature of the claims that the site gave.
 * @param raise what claims are changed to
 */
export function raisedTokens(value: string, raise: (claims: string) => ChangedValue[]): ChangedValue[] {
  const jwt = parseAnyJwt(value);
  if (!jwt) return [];
  const [head = '', , signature = ''] = value.split('.');
  const unsigned = encoded(JSON.stringify({ ...jwt.header, alg: 'none' }));
  return raise(JSON.stringify(jwt.claims)).flatMap(({ what, value: claims }) => [
    { what: `${what} in the token, with \`alg: none\` and no signature`, value: `${unsigned}.${encoded(claims)}.` },
    ...(signature === ''
      ? []
      : [{ what: `${what} in the token, its signature as it was`, value: `${head}.${encoded(claims)}.${signature}` }]),
  ]);
}

const encoded = (json: string): string => Buffer.from(json).toString('base64url');
