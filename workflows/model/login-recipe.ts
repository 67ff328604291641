/**
 * How an identity logs in, without its secrets: what a reader needs to make the same session by hand. A bearer, basic,
 * header or cookie login has no steps: its session was given as it is.
 */
export type LoginRecipe = {
  kind: 'form' | 'json' | 'bearer' | 'basic' | 'header' | 'cookie' | 'browser';
  /** Requests in their order; those of one login keep each other's cookies. Of a browser login only the last is known. */
  steps: LoginStep[];
  /** Dotted path of the token in the last answer, when the session is one. */
  tokenPath?: string;
  /** What the session sends: headers by name with what stands before the secret, cookies by name. */
  sends: { headers: { name: string; prefix: string }[]; cookies: string[] };
};

export type LoginStep = {
  /** Page of the form: `hidden` fields are read from it anew each time. */
  pageUrl?: string;
  url: string;
  method: 'GET' | 'POST';
  encoding: 'urlencoded' | 'multipart' | 'json';
  /** Of JSON, names are dotted paths. */
  fields: StepField[];
  /** JSON that the fields are put into; an empty object when not given. */
  body?: string;
};

export type StepField =
  | { name: string; holds: 'username' | 'password' | 'code' | 'hidden' }
  /** What the form sends whoever logs in: a ticked box, a chosen option, its button. */
  | { name: string; holds: 'fixed'; value: string };
