import { randomBytes, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { createSessionStore, type SessionStore } from './session-store.ts';
import { readToken, signToken } from './token.ts';
import { type DemoUser, userById } from './users.ts';
import type { Weaknesses } from './weaknesses.ts';

const lifetimeSeconds = 8 * 3_600;

/** Sessions, by the value of their cookie. */
export type DemoSessions = {
  /** Value for a visitor who is not logged in. */
  visitor(): string;
  /** False when the value is not of a session, or no longer. */
  isKnown(value: string): boolean;
  user(value: string): DemoUser | undefined;
  /** Value of the session of a user who came with the visitor's session `current`. */
  logIn(user: DemoUser, current: string): string;
  logOut(value: string): void;
};

export function createSessions(weaknesses: Weaknesses, database: DatabaseSync, secret: string): DemoSessions {
  const make = weaknesses.roleFromSignedToken ? tokenSessions : storedSessions;
  const sessions = make({ store: createSessionStore(database), database, secret });
  return {
    ...sessions,
    logIn: (user, current) => {
      if (!weaknesses.sessionKeptAtLogin) return sessions.logIn(user);
      sessions.adopt(current, user);
      return current;
    },
    logOut: (value) => {
      if (!weaknesses.sessionOutlivesLogout) sessions.logOut(value);
    },
  };
}

type SessionStores = { store: SessionStore; database: DatabaseSync; secret: string };
type SessionParts = Omit<DemoSessions, 'logIn'> & {
  logIn(user: DemoUser): string;
  /** Makes a visitor's session that of a user. */
  adopt(value: string, user: DemoUser): void;
};

/** The cookie is a signed token, and what it says of the role is believed. */
function tokenSessions({ store, database, secret }: SessionStores): SessionParts {
  const issue = (sub: number, name: string, role: string) => {
    const iat = Math.floor(Date.now() / 1_000);
    return signToken(secret, { jti: randomUUID(), sub, name, role, iat, exp: iat + lifetimeSeconds });
  };
  const idOf = (value: string) => readToken(secret, value)?.jti ?? '';
  return {
    visitor: () => issue(0, 'Visitor', 'visitor'),
    isKnown: (value) => readToken(secret, value) !== undefined,
    user: (value) => {
      const claims = readToken(secret, value);
      if (!claims || store.isEnded(claims.jti)) return undefined;
      const user = userById(database, claims.sub || (store.userId(claims.jti) ?? 0));
      // Who was promoted since need not log in again.
      return user && { ...user, role: claims.role === 'admin' ? claims.role : user.role };
    },
    logIn: (user) => issue(user.id, user.name, user.role),
    adopt: (value, user) => store.begin(idOf(value), user.id, lifetimeSeconds),
    logOut: (value) => store.end(idOf(value), lifetimeSeconds),
  };
}

/** The cookie is a random number; whose it is, and which role that user has, is asked of the database each time. */
function storedSessions({ store, database }: SessionStores): SessionParts {
  const random = () => randomBytes(24).toString('base64url');
  return {
    visitor: random,
    isKnown: (value) => /^[\w-]{32}$/.test(value),
    user: (value) => {
      const id = store.userId(value);
      return id === undefined ? undefined : userById(database, id);
    },
    logIn: (user) => {
      const value = random();
      store.begin(value, user.id, lifetimeSeconds);
      return value;
    },
    adopt: (value, user) => store.begin(value, user.id, lifetimeSeconds),
    logOut: (value) => store.end(value, lifetimeSeconds),
  };
}
