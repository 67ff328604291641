import type { LoginRecipe } from './login-recipe.ts';

/** By what an account is known again, whichever way it logs in. Digests: they are compared, and never read. */
export type Account = {
  /** Of the user name that was typed. */
  username?: string;
  /** Of issuer and subject of its token (RFC 7519 §4.1). */
  subject?: string;
  /** Pages that say who is logged in, the one with the marker first. */
  pages: ShownPage[];
};

/** What a page shows to the account each time, and not to anonymous visitors. Digests. */
export type ShownPage = {
  url: string;
  /** Addresses and ids. */
  names: string[];
  /** It shows several accounts, and so does not say whose session it is. */
  isList?: true;
  /** Words without a digit. */
  words: string[];
  /** Words with one: times and counters, which differ from one load to the next, but also names such as "user1". */
  numbered: string[];
};

/** Where and by what a session is recognised. Not a secret. */
export type LoginMark = {
  checkUrl: string;
  marker: string;
  /** Any of them shows as well whose session it is: a page may show another part of itself, which the session keeps. */
  others?: string[];
};

/** What a run knows of a login that it has proven. No secret is in it. */
export type ProvenLogin = LoginMark & {
  name: string;
  /** What the org calls it. Undefined in what earlier versions keep. */
  role?: string;
  account: Account;
  recipe: LoginRecipe;
  /** A form that has to be typed into a browser. */
  inBrowser: boolean;
  /** One session serves all activities of the run. */
  isKept: boolean;
};
