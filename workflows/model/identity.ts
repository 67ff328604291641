import type { WebStorage } from './browser.ts';
import type { CookieJar, Exchange } from './http.ts';
import type { LoginRecipe } from './login-recipe.ts';

/** A logged-in session of a deep scan. Renewed by the engine when the marker is gone. */
export type Identity = {
  name: string;
  role: string;
  jar: CookieJar;
  /** Headers of a bearer or header login. */
  headers: [string, string][];
  /** Proven: the answer of checkUrl has the marker, the anonymous one does not. */
  checkUrl: string;
  marker: string;
  /** What the app's scripts keep, of a login by browser. */
  storage?: WebStorage;
  /** The user name that it logs in with, where it has one. */
  userName?: string;
  /** Password that it logs in with, where it has one: for what asks for it. Never part of what is stored. */
  password?(): KnownPassword;
  /** Where it logs in; undefined when its session was given as it is, so that no other one can be made. */
  loginUrl?: string;
  /** How a reader logs in by hand. */
  recipe?: LoginRecipe;
};

/** @property isSecret whether it has to be masked; what everybody tries first would mask ordinary words */
export type KnownPassword = { value: string; isSecret: boolean };

/** A session that a check has for itself. */
export type OwnSession = Identity & {
  /** The answer to the credentials, redirects not followed. */
  answer: Exchange;
};
