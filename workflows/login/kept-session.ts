import { z } from 'zod';
import type { Run } from '../core/run.ts';
import type { WebStorage } from '../model/browser.ts';
import type { CookieJar } from '../model/http.ts';
import { putCookies } from '../probe/http/cookies.ts';

/** The part of a session that makes it one. */
export type BareSession = { jar: CookieJar; headers: [string, string][]; storage?: WebStorage };

const Cookie = z.object({
  name: z.string(),
  value: z.string(),
  domain: z.string(),
  path: z.string(),
  secure: z.boolean(),
  httpOnly: z.boolean(),
  hostOnly: z.boolean(),
  partitioned: z.boolean(),
  sameSite: z.string().optional(),
});

const Entries = z.record(z.string(), z.string());
const Kept = z.object({
  cookies: z.array(Cookie),
  headers: z.array(z.tuple([z.string(), z.string()])),
  storage: z.record(z.string(), z.object({ local: Entries, session: Entries })).optional(),
});

const refOf = (name: string): string => `session:${name}`;

/**
 * Keeps a session for the other activities of the run, encrypted, until the run ends: where a login is dear, as one with a
 * one-time code or in a browser is, or ends the sessions from before.
 */
export const keepSession = (run: Run, name: string, session: BareSession): Promise<void> =>
  run.putSecret(refOf(name), writeSession(session));

/** @returns undefined when none was kept */
export async function takeSession(run: Run, name: string, jar: CookieJar): Promise<BareSession | undefined> {
  const text = await run.findSecret(refOf(name));
  return text === undefined ? undefined : readSession(text, jar);
}

export const writeSession = ({ jar, headers, storage }: BareSession): string =>
  JSON.stringify({ cookies: jar.all(), headers, storage });

/** @param jar takes the cookies */
export function readSession(text: string, jar: CookieJar): BareSession {
  const { cookies, headers, storage } = Kept.parse(JSON.parse(text));
  putCookies(
    jar,
    cookies.map(({ sameSite, ...cookie }) => (sameSite === undefined ? cookie : { ...cookie, sameSite })),
  );
  return { jar, headers, ...(storage && { storage }) };
}
