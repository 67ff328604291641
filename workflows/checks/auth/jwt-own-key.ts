import { createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { callbackSpot } from '../../model/callbacks.ts';
import type { CheckContext } from '../contract.ts';
import type { Jwt } from '../sessions/jwt.ts';

/** How a token is signed with a key that anybody has, and the same with a key that the site does not come to. */
export type SigningWay = {
  how: string;
  header: Record<string, unknown>;
  sign(jwt: Jwt): string;
  other(jwt: Jwt): string;
  isText: boolean;
};
/** What the listener calls the key that it gives, too. */
const kid = 'own';

let pair: { publicKey: KeyObject; privateKey: KeyObject } | undefined;
const ownPair = () => {
  pair ??= generateKeyPairSync('rsa', { modulusLength: 2048 });
  return pair;
};

/** A key in the token itself (RFC 7515 §4.1.3), and the address of one (§4.1.2), where the listener for callbacks gives it. */
export function ownKeyWays({ callbacks }: Pick<CheckContext, 'callbacks'>, { header }: Jwt): SigningWay[] {
  const { n = '', ...jwk } = ownPair().publicKey.export({ format: 'jwk' });
  const ways = [byOwnKey('with a key that is in the token', header, { jwk: { ...jwk, n, kid, use: 'sig' } })];
  if (!callbacks || /^HS/.test(String(header.alg))) return ways;
  const spot = callbackSpot(callbacks.host, callbacks.newToken()).replace(/\/$/, '');
  const jku = `http://${spot}/keys/${n}/.well-known/jwks.json`;
  return [...ways, byOwnKey('with a key at an address that the token names (jku)', header, { jku })];
}

/** @param named says which key it is */
function byOwnKey(how: string, header: Record<string, unknown>, named: Record<string, unknown>): SigningWay {
  const own = { ...header, alg: 'RS256', kid, ...named };
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signedText = ({ claims }: Jwt) => `${part(own)}.${part(claims)}`;
  const sign = (jwt: Jwt): string => {
    const signed = signedText(jwt);
    return `${signed}.${createSign('sha256').update(signed).sign(ownPair().privateKey, 'base64url')}`;
  };
  const other = (jwt: Jwt): string => `${signedText(jwt)}.${randomBytes(256).toString('base64url')}`;
  return { how, header: own, isText: false, sign, other };
}
