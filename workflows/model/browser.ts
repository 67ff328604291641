import type { CookieJar, Exchange, HeaderList } from './http.ts';

/** What the browser offers to checks: a real Chromium whose network goes through the target guard. */

export type BrowserVisit = {
  url: string;
  /**
   * HTML of a page of our own at `url`, which is served by the instrument itself and asked of nobody. Its host is a name that
   * nobody has: below "invalid" for another site, or below the audited host for another origin of the same site.
   * The session's cookies go with its requests by the browser's own rules, and what these set is not kept.
   */
  page?: string;
  /** Sent with the first request, and on same-origin ones. */
  headers?: HeaderList;
  jar?: CookieJar;
  /** CSS selectors to click, in order, after load. Missing ones are skipped. */
  clicks?: string[];
  /** Presses a few controls that only show something, after load, for what `trace` sees then. Default false. */
  presses?: true;
  /** What scripts have kept for one session: put in before, and brought up to date afterwards for the page's origin. */
  storage?: WebStorage;
  /** Watches what script does with texts that hold one of these words of lower-case letters and digits. */
  trace?: {
    words: readonly string[];
    /** Name that the window has before the first script runs. */
    windowName?: string;
  };
  /** What the visit is for has been seen, so that nothing is waited or clicked for any more. Asked again and again after load. */
  isDone?: (seen: { dialogs: readonly string[] }) => boolean;
  /** What the page has to show: it is waited for a while longer, where script is slow to make it. */
  isShown?: (html: string) => boolean;
  /** Total; default 10,000. */
  timeoutMs?: number;
};

/** A page that is used as a visitor would. */
export type BrowserExploration = Pick<BrowserVisit, 'url' | 'headers' | 'jar' | 'storage' | 'timeoutMs'> & {
  /** Controls that are used at most; default 120. */
  maxUses?: number;
  /** Controls that are known to lead away, as `led` of other pages reports them: they are not used again. None when not given. */
  led?: ReadonlySet<string>;
  /** Places that were used before, as `landingOf` writes them: a page that leads on to one of them is read, and not used again. */
  places?: ReadonlySet<string>;
};

/** What a page asked for, or would have, when its controls were used. */
export type Explored = Pick<BrowserResult, 'status' | 'cookies'> & {
  /** Where it stood when it had loaded: its script may lead to others when its controls are used. */
  finalUrl: string;
  /** What is missing below because a limit was reached. */
  unread: BrowserResult['unread'] & { states: number };
  requests: (BrowserResult['requests'][number] & {
    /** What stands on the control that led to it. */
    control?: string;
    /** The control sends or does something, so nothing left the browser. */
    held?: 'sends' | 'acts';
  })[];
  /** Serialised DOM of each state that was seen, the first one first. */
  states: string[];
  /** Addresses that script gave to the page's history or to windows. */
  routes: string[];
  /** WebSockets whose messages are not all in `requests`: the page sent none (`isSilent`), or such as are no text, too long or too many. */
  unreadSockets: { url: string; isSilent: boolean }[];
  /** GET forms of the page that its script has sent in place of the browser. */
  takenForms: TakenForm[];
  /** Controls that were left because a limit of count or time was reached. */
  unused: number;
  /** Controls that were left since others that are alike, and lead to pages of one kind, were used. */
  alike: number;
  /** Controls that have led to another page, and the address of that. */
  led: string[];
  /** Script files that the page loaded before anything was used, at most 100. */
  scripts: string[];
};

/** @property action where the browser would send it @property names of its fields, each once */
export type TakenForm = { action: string; names: string[] };

/** Web storage by origin (HTML Standard §12.2): name and value of each entry. */
export type WebStorage = Record<string, Record<'local' | 'session', Record<string, string>>>;

/** Script gave a text to something that makes a page, code or an address of it. */
export type SinkCall = {
  kind: 'html' | 'code' | 'address';
  /** For instance "innerHTML", "eval", "href" or "location". */
  sink: string;
  /** Of the element that has the sink, in lower case; "" when it is none. */
  element: string;
  /** Cut around the word when it is long. */
  text: string;
  /** Address of the script without query, as far as it is known. */
  script: string;
  /** CSS selectors of what was pressed before. */
  clicks?: string[];
};

/** What a real Chromium saw, in a context of its own that is gone afterwards. */
export type BrowserResult = {
  status: number;
  finalUrl: string;
  /** Messages of alert, confirm and prompt dialogs, in order. */
  dialogs: string[];
  console: string[];
  /**
   * Requests that the page made: URL, whether the guard refused it, headers, those for cookies left out, and a body that is text. A message
   * over a WebSocket is one with the messages `before` it that open the conversation.
   */
  requests: { url: string; method: string; refused: boolean; headers: HeaderList; body?: string; before?: string[] }[];
  /** Serialised DOM after load and clicks, cut at 1 MiB. */
  html: string;
  title: string;
  /** Addresses of the frames in the page, as loaded. One that may not be framed is "chrome-error://chromewebdata/". */
  frames: string[];
  /** CSP violations: "directive blockedUri". */
  cspViolations: string[];
  /** Mixed content (W3C Mixed Content §5): "blocked <url>" or "upgraded <url>". */
  mixedContent: string[];
  /** Known libraries that had run in the page, by what they say of themselves: "jquery 3.7.1". */
  libraries: string[];
  /** Properties that script has given to Object.prototype, and so to every object: "name value". */
  prototype: string[];
  cookies: {
    name: string;
    value: string;
    domain: string;
    path: string;
    secure: boolean;
    httpOnly: boolean;
    sameSite: string;
  }[];
  /** What the browser sent along to the audited host: "url name" for each cookie of each request. */
  cookiesSent: string[];
  /** What script on the page reads in `document.cookie`. */
  scriptCookies: string;
  localStorage: Record<string, string>;
  sessionStorage: Record<string, string>;
  /** What `trace` saw. */
  sinkCalls: SinkCall[];
  /**
   * Requests that are missing in `requests`, bodies that are missing in it for their length, and calls that are missing in `sinkCalls`:
   * because of a limit, or since enough of the same script to the same sink are there. `parts`: what is missing elsewhere above because
   * of a limit, and events that were not heard; that of `console` does not count. `why` nothing of the page could be read.
   */
  unread: { requests: number; bodies: number; calls: number; alikeCalls: number; parts: number; why?: string };
  /** Controls that `presses` left because a limit was reached. */
  unpressed: number;
  /** Headers of the document's answer. */
  headers: HeaderList;
};

/** A login that is typed into a page. */
export type BrowserSignIn = {
  /** Page with the form, or with what leads to it. */
  url: string;
  /** Takes the cookies, and gives those that it has. */
  jar: CookieJar;
  username: string;
  password: string;
  /** Name or CSS selector of each field and of the button; "" when it is to be found. */
  fields: Record<'username' | 'password' | 'code' | 'submit', string>;
  /** Asked for a one-time code when the page has a field for one. */
  code?: () => Promise<string>;
  /** Total; default 30,000. */
  timeoutMs?: number;
};

/** What came of a login, as far as the browser can see. */
export type SignedIn = {
  /** Which fields were there, filled in and sent. */
  sent: { name: boolean; password: boolean; code: boolean };
  finalUrl: string;
  /** Of the document; 0 when script alone made the page. */
  status: number;
  /** Serialised DOM, cut at 1 MiB. */
  html: string;
  /** Headers by which the app's own requests say who asks: Authorization, and those with what its scripts keep. */
  headers: [string, string][];
  storage: WebStorage;
  /** Addresses on the audited host that the app has read since, without those of images, styles and scripts. */
  calls: string[];
  /** Requests other than reads that the app has sent of itself since, for instance its settings. */
  writes: { method: string; url: string }[];
  /** The request with the password and its answer, redirects not followed. */
  answer?: Exchange;
};

export type BrowserProbe = {
  /** Why no browser is there; undefined when one is. */
  unavailable(): Promise<string | undefined>;
  /** @throws ProbeError */
  visit(visit: BrowserVisit): Promise<BrowserResult>;
  /** Uses the controls of a page. Nothing that would leave it, send a form or act leaves the browser. @throws ProbeError */
  explore(exploration: BrowserExploration): Promise<Explored>;
  /** Fills in and sends a login, page after page, as a person would. @throws ProbeError */
  signIn(signIn: BrowserSignIn): Promise<SignedIn>;
};
