import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { readToken, signToken } from './token.ts';
import { type User, userById } from './users.ts';
import type { Weaknesses } from './weaknesses.ts';

const lifetimeSeconds = 8 * 3_600;

/** Sessions, by the value of their cookie. */
export type Sessions = {
  /** Value for a visitor who is not logged in. */
  visitor(): string;
  /** False when the value is not of a session, or no longer. */
  isKnown(value: string): boolean;
  user(value: string): User | undefined;
  /** Value of a new session. */
  logIn(user: User): string;
  logOut(value: string): void;
};

export const createSessions = (weaknesses: Weaknesses, database: DatabaseSync, secret: string): Sessions =>
  weaknesses.roleFromSignedToken ? tokenSessions(database, secret) : storedSessions(database);

/** The cookie is a signed token, and what it says of the role is believed. */
function tokenSessions(database: DatabaseSync, secret: string): Sessions {
  const issue = (sub: number, name: string, role: string) => {
    const iat = Math.floor(Date.now() / 1_000);
    return signToken(secret, { jti: randomUUID(), sub, name, role, iat, exp: iat + lifetimeSeconds });
  };
  return {
    visitor: () => issue(0, 'Visitor', 'visitor'),
    isKnown: (value) => readToken(secret, value) !== undefined,
    user: (value) => {
      const claims = readToken(secret, value);
      const user = claims && userById(database, claims.sub);
      return user && { ...user, role: claims.role };
    },
    logIn: (user) => issue(user.id, user.name, user.role),
    logOut: () => undefined,
  };
}

/** The cookie is a random number; whose it is, and which role that user has, is asked of the database each time. */
function storedSessions(database: DatabaseSync): Sessions {
  const random = () => randomBytes(24).toString('base64url');
  const hash = (value: string) => createHash('sha256').update(value).digest('hex');
  const now = () => Math.floor(Date.now() / 1_000);
  return {
    visitor: random,
    isKnown: (value) => /^[\w-]{32}$/.test(value),
    user: (value) => {
      const row = database
        .prepare('SELECT user_id FROM sessions WHERE id_hash = ? AND expires_at > ?')
        .get(hash(value), now());
      return row && userById(database, Number(row.user_id));
    },
    logIn: (user) => {
      const value = random();
      database.prepare('DELETE FROM sessions WHERE expires_at <= ?').run(now());
      database.prepare('INSERT INTO sessions VALUES (?, ?, ?)').run(hash(value), user.id, now() + lifetimeSeconds);
      return value;
    },
    logOut: (value) => {
      database.prepare('DELETE FROM sessions WHERE id_hash = ?').run(hash(value));
    },
  };
}
