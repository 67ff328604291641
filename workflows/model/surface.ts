import type { Omitted } from './omission.ts';
import type { PhpPlace } from './php-values.ts';
import type { Skipped } from './skipped.ts';

/**
 * A sketch of how a page is built: for each of some hash functions the least value over its tags with their classes (MinHash, Broder
 * 1997). The part of numbers that two sketches share is about that of the kinds of tags that the pages do.
 */
export type PageShape = readonly number[];

/** What the survey saw: the facts that every check starts from. Stored once per identity as the artifact "surface". */
export type Surface = {
  url: string;
  host: string;
  addresses: string[];
  /** Each scheme and port of the host that answered, the one asked for first. */
  origins: OriginSurface[];
  pages: PageSurface[];
  forms: FormSurface[];
  /** Places that take input, one for each method, route and parameter. */
  inputs: InputSurface[];
  /** Of what checks are given: those that the write gate refuses. Only a write that is recorded, and taken back, goes there. */
  heldInputs?: InputSurface[];
  /** Cookies that a visitor's account may keep, by name: checks give them no values in its session. */
  heldCookies?: string[];
  /** Cookies that answers to forms gave to anybody, each with the page that the answer leads to. */
  givenCookies?: GivenCookies[];
  /** Choices of views that an account may keep: what stands in their place checks give no values in its session. */
  heldChoices?: ChoiceSurface[];
  /** Choices that pages mark, one for each place and its values. */
  choices?: ChoiceSurface[];
  /** Requests that the scripts of pages make, or would make if they were let. */
  calls: CallSurface[];
  /** What was explored in the browser: pages that run the same script on what is built alike are explored once. */
  explored: ExploredPage[];
  /** Addresses that were answered as not there, those that were guessed included. */
  missing?: string[];
  /** URLs seen but not fetched, with the reason in one word and in a sentence: examples, where there are many. */
  skipped: Skipped[];
  /** All that was left out, counted. */
  omitted: Omitted[];
};

/** @property url of the page that the answer which gives them leads to, or of the answer itself */
export type GivenCookies = { url: string; setCookies: string[] };

export type OriginSurface = {
  /** For instance "https://shop.example:8443". */
  origin: string;
  scheme: 'http' | 'https';
  host: string;
  port: number;
  /** Status and headers of "/", redirects not followed; 0 where TLS is spoken in which no page could be asked for. */
  status: number;
  headers: [string, string][];
  /** Where "/" redirects to, resolved. */
  redirectsTo?: string;
};

export type PageSurface = {
  url: string;
  status: number;
  /** What a browser takes it for, without parameters, for instance "text/html"; "" when that is neither declared nor seen. */
  contentType: string;
  headers: [string, string][];
  setCookies: string[];
  title: string;
  scripts: { url?: string; integrity?: string; inlineBytes?: number }[];
  /** Script files that it loaded in the browser, those that only other scripts name among them; unknown when it was not used there. */
  loaded?: string[];
  /** Its routes behind "#" that the browser came to, at most 60. */
  hashRoutes?: HashRoute[];
  /** Seen in HTML, by script in the browser, in robots.txt, … */
  source: string;
  /** How it is built, of HTML. */
  shape?: PageShape;
  /** It shows the names of parameters that nobody has. */
  repeatsNames?: true;
};

/** @property fragment without "#", for instance "/search?term=desk" @property loaded script files, if it was opened by its address */
export type HashRoute = { fragment: string; loaded: string[] };

export type FormSurface = {
  pageUrl: string;
  action: string;
  method: 'GET' | 'POST';
  enctype: string;
  fields: {
    name: string;
    type: string;
    value: string;
    options?: string[];
    isRequired?: true;
    /** What the page demands of it (HTML Living Standard §4.10.5.3): a pattern for the whole text, limits of a number, characters at least. */
    pattern?: string;
    min?: string;
    max?: string;
    minLength?: number;
    /** A box or radio button that is not sent as long as nobody ticks it. */
    isUnticked?: true;
    /** What the page declares that goes in (HTML Living Standard §4.10.18.7). */
    autocomplete?: string;
    /** Kinds of files that a field for them takes (HTML Living Standard §4.10.5.1.17). */
    accept?: string;
  }[];
  /** The page calls it its search (WAI-ARIA, role "search"). */
  isSearch?: true;
  /** What stands on the button that sends it. */
  label?: string;
  /** It looks like a login, and was seen to answer whoever sends it: its fields are inputs like any others. */
  takesAnybody?: true;
  /** Buttons that are never pressed: a request with one of these is another command. */
  otherButtons?: { name: string; value: string }[];
};

/**
 * Links of a page that differ in one place, of which the page marks the one that holds: orders of a list, for instance. Its own address
 * does not say which.
 */
export type ChoiceSurface = {
  pageUrl: string;
  /** Of the links; of a path up to the place, which is "{name}" there. */
  route: string;
  /** The place: of a path its part's number from 1, of a query "?" and the parameter. */
  parameter: string;
  /** The link that was marked. */
  chosen: string;
  others: string[];
  values: string[];
};

/** A page that was explored, by its script and, where its HTML was read, by how it is built. */
export type ExploredPage = {
  code: string;
  shape?: PageShape;
  /** What its script can take hold of, as hashes. */
  hooks?: number[];
  /** Its script draws it: another visitor may be shown something else. */
  isDrawn?: true;
};

/** A request that a page's script makes. One for each method, route and names of parameters. */
export type CallSurface = {
  method: string;
  url: string;
  /** Page that it was seen on. */
  pageUrl: string;
  contentType?: string;
  /** Text that it sends, when it is not too long. */
  body?: string;
  /** What stands on the control that leads to it; undefined when the page makes it by itself. */
  control?: string;
  /** It was not let out of the browser. */
  held?: true;
};

/** @property literal number of a value in the text of the GraphQL document that stands at the pointer */
export type JsonPlace = { body: string; pointer: string; literal?: number };

/** How a text is written in signs that addresses and cookies take; `plain` is as it is, percent-encoded where that is needed. */
export type ValueEncoding = 'base64' | 'base64url' | 'hex' | 'plain';

/**
 * The parameter whose value a site encodes, by its own name; with the JSON or the text of PHP that is encoded, and the input's place in
 * it, where the value is not one text.
 */
export type EncodedPlace = { encoding: ValueEncoding; name: string; json?: JsonPlace; php?: PhpPlace };

/** By the last part of the field's name. */
export type AskedFields = Readonly<Record<string, 'name' | 'mail' | 'password'>>;

export type InputSurface = {
  method: string;
  /** With sample values in place. */
  url: string;
  /** Route with identifiers replaced, for instance "/orders/{id}", and the part that a parameter chooses: "/index.php?view=cart". */
  route: string;
  /**
   * Of a path its segment's number from 1, with the name of a matrix parameter behind it: "2", "2;color". Of JSON the names on
   * the way: "filter.name".
   */
  parameter: string;
  in: 'query' | 'body' | 'path' | 'header' | 'cookie';
  /** A value that the site itself used, or "". */
  sample: string;
  /** The other parameters that have to be sent with it. */
  others: { name: string; value: string }[];
  contentType?: string;
  /** JSON that is sent, and the input's place in it (RFC 6901). */
  json?: JsonPlace;
  /** XML that is sent, and the number of the input's text in it. */
  xml?: { body: string; index: number };
  /** A text that is sent as it is: the body is the input, or what stands behind the command that it begins with. */
  text?: { body: string; prefix?: string };
  /** Of a message over a WebSocket: those that its page sends before it over the same connection, to open the conversation. */
  before?: string[];
  /** Page that it is sent from, and what that page gives to each visitor anew. */
  page?: SendingPage;
  /** What is tried stands in the value of the parameter, which the site encodes: found by checks, and in no survey. */
  encoded?: EncodedPlace;
  /** The server percent-decodes the cookie: found by checks, and in no survey. */
  isDecoded?: true;
  /** What fields ask a new user for whose names do not say it: found by checks, and in no survey. */
  asked?: AskedFields;
  /** Nothing says that the server reads it, which has to be asked: found by checks, and in no survey. */
  isUnasked?: true;
  /** What is tried is the name of this field, which is sent with this value: found by checks, and in no survey. */
  renamed?: { field: string; value: string };
  /** A file that is sent in this field; the value that the field has is the beginning of its name. Found by checks, and in no survey. */
  file?: { field: string; ending: string; type: string; content: string };
  /** The value is the content of a file that is sent in the field, by this name. Found by checks, and in no survey. */
  inFile?: { name: string; type: string };
  /** The form has several fields of the name: each is given the value, whichever of them the server takes. */
  isRepeated?: true;
  /** What a document says that the request is for. */
  title?: string;
  /** A document describes it: no page needs to lead there. */
  isDescribed?: true;
  /** Its request was seen to store what it is sent, and a test system takes it all the same. */
  isStored?: true;
  /** It names the entry that its request works on: another number is not sent. Of one that is held, the entry is somebody else's. */
  namesEntry?: true;
  /** It replaces what is there (PUT, PATCH), which the scope allows where that is put back. */
  mayBePutBack?: true;
  /** It was refused to the visitor whose surface this is, who was not let in (401 or 403). */
  isShut?: true;
  /** Its address is one of many that differ in a number alone, and are programs of their own: none stands for another. */
  isNumbered?: true;
  /** The same input of addresses that differ from this one in numbers and the like, of which this one was found first. */
  alike?: Pick<InputSurface, 'url' | 'sample' | 'others'>[];
};

/** @property headers of their own that its scripts send along with the same value each time: the key of an API, a version */
export type SendingPage = { url: string; tokens: PageToken[]; headers?: [name: string, value: string][] };

/**
 * Goes from a page into each request that it makes: a hidden field, or into a header what stands in a cookie, in a meta element, or behind
 * a text of the page.
 */
export type PageToken =
  | { field: string }
  | { header: string; cookie: string }
  | { header: string; meta: string }
  | { header: string; behind: string };
