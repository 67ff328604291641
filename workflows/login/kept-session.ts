import type { WebStorage } from '../model/browser.ts';
import type { CookieJar } from '../model/http.ts';
import { putCookies } from '../probe/http/cookies.ts';
import type { Run } from '../run/run.ts';
import { type KeptSession, store } from '../run/store.ts';

/** The part of a session that makes it one. */
export type BareSession = { jar: CookieJar; headers: [string, string][]; storage?: WebStorage };

/**
 * Keeps a session for the other activities of the run, encrypted, until the run ends: where a login is dear, as one with a
 * one-time code or in a browser is, or ends the sessions from before.
 */
export const keepSession = (run: Run, name: string, session: BareSession): Promise<void> =>
  store.session.put(run, name, keptOf(session));

/** @returns undefined when none was kept */
export async function takeSession(run: Run, name: string, jar: CookieJar): Promise<BareSession | undefined> {
  const kept = await store.session.find(run, name);
  return kept && sessionOf(kept, jar);
}

export const keptOf = ({ jar, headers, storage }: BareSession): KeptSession => ({
  cookies: jar.all(),
  headers,
  ...(storage && { storage }),
});

/** @param jar takes the cookies */
export function sessionOf({ cookies, headers, storage }: KeptSession, jar: CookieJar): BareSession {
  putCookies(
    jar,
    cookies.map(({ sameSite, ...cookie }) => (sameSite === undefined ? cookie : { ...cookie, sameSite })),
  );
  return { jar, headers, ...(storage && { storage }) };
}
