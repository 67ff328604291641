import type { WebStorage } from '../model/browser.ts';
import type { CookieJar, Exchange } from '../model/http.ts';
import type { LoginRecipe } from '../model/login-recipe.ts';
import type { Landing } from './refusal.ts';

/** What a login gives: what to send with every request. Not yet proven. */
export type LoginSession = {
  jar: CookieJar;
  headers: [string, string][];
  /** What the app's scripts keep, of a login by browser. */
  storage?: WebStorage;
  /** Where the login led to, if anywhere, and how far it came. */
  landing?: Landing;
  sent?: { password: boolean; code: boolean };
  /** The answer to the last of the credentials, redirects not followed. */
  answer?: Exchange;
  /** Addresses that the app itself read once it was logged in. */
  calls?: string[];
  /** Requests other than reads that the app has sent of itself in the browser. */
  writes?: { method: string; url: string }[];
  recipe: LoginRecipe;
};
