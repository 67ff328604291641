import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { readToken, signToken } from './token.ts';
import { type DemoUser, userById } from './users.ts';
import type { Weaknesses } from './weaknesses.ts';

const lifetimeSeconds = 8 * 3_600;

/** What the studio asks the account API with where it does not use the session of the pages. */
export type ApiTokens = {
  /** Undefined where the studio uses the session. */
  issue(user: DemoUser): string | undefined;
  /** @param authorization the header of a request */
  holder(authorization: string | undefined): DemoUser | undefined;
};

export function createApiTokens(weaknesses: Weaknesses, database: DatabaseSync, secret: string): ApiTokens {
  // With a key of their own they are never taken for sessions.
  const key = `${secret}:api`;
  return {
    issue: ({ id, name }) => {
      if (!weaknesses.tokenInStorage) return undefined;
      const iat = Math.floor(Date.now() / 1_000);
      return signToken(key, { jti: randomUUID(), sub: id, name, role: '', iat, exp: iat + lifetimeSeconds });
    },
    holder: (authorization = '') => {
      const [, token] = /^Bearer (\S+)$/.exec(authorization) ?? [];
      if (!weaknesses.tokenInStorage || token === undefined) return undefined;
      const claims = readToken(key, token);
      return claims && userById(database, claims.sub);
    },
  };
}
