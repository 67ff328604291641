import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** Which session is whose, by the identifier of the session; of that, a hash is kept. */
export type SessionStore = {
  userId(id: string): number | undefined;
  begin(id: string, userId: number, lifetimeSeconds: number): void;
  /** Ends a session for good, also one that this store does not know. */
  end(id: string, lifetimeSeconds: number): void;
  isEnded(id: string): boolean;
};

export function createSessionStore(database: DatabaseSync): SessionStore {
  const hash = (value: string) => createHash('sha256').update(value).digest('hex');
  const now = () => Math.floor(Date.now() / 1_000);
  const find = (id: string) =>
    database.prepare('SELECT user_id FROM sessions WHERE id_hash = ? AND expires_at > ?').get(hash(id), now());
  const put = (id: string, userId: number | null, lifetimeSeconds: number) => {
    database.prepare('DELETE FROM sessions WHERE expires_at <= ?').run(now());
    database
      .prepare('INSERT OR REPLACE INTO sessions (id_hash, user_id, expires_at) VALUES (?, ?, ?)')
      .run(hash(id), userId, now() + lifetimeSeconds);
  };
  return {
    userId: (id) => {
      const userId = find(id)?.user_id ?? null;
      return userId === null ? undefined : Number(userId);
    },
    begin: put,
    end: (id, lifetimeSeconds) => put(id, null, lifetimeSeconds),
    isEnded: (id) => find(id)?.user_id === null,
  };
}
