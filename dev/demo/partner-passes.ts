import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { createSessionStore } from './session-store.ts';
import { type DemoUser, userById } from './users.ts';
import type { Weaknesses } from './weaknesses.ts';

const lifetimeSeconds = 8 * 3_600;

/** What lets the pages of a partner show customers their account here: it opens what the account API reads, and nothing else. */
export type PartnerPasses = {
  /** Value of the cookie that a customer gets at login. */
  issue(user: DemoUser): string;
  holder(value: string): DemoUser | undefined;
  end(value: string): void;
};

export function createPartnerPasses(weaknesses: Weaknesses, database: DatabaseSync): PartnerPasses {
  const store = createSessionStore(database);
  // No session has such an identifier, so that a pass is never taken for one.
  const idOf = (value: string) => `pass:${value}`;
  return {
    issue: (user) => {
      const value = randomBytes(24).toString('base64url');
      store.begin(idOf(value), user.id, lifetimeSeconds);
      return value;
    },
    holder: (value) => {
      const id = store.userId(idOf(value));
      return id === undefined ? undefined : userById(database, id);
    },
    end: (value) => {
      if (!weaknesses.sessionOutlivesLogout) store.end(idOf(value), lifetimeSeconds);
    },
  };
}
