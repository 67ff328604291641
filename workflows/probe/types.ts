/** What the instruments offer to checks. All traffic of an audit goes through these, behind the target guard. */

export type HeaderList = readonly (readonly [name: string, value: string])[];

export type HttpRequest = {
  /** Default "GET". */
  method?: string;
  /** Absolute http or https URL. Its path and query are sent as written, not normalised. */
  url: string;
  headers?: HeaderList;
  body?: string | Uint8Array;
  /** Redirects to follow within the scope; default 0. Each hop is an exchange of its own and is re-checked by the guard. */
  maxRedirects?: number;
  /** Use no connection, cache or cookie from before. Default false. */
  fresh?: boolean;
  /** Cookies to send and to keep: those of one session. None by default. */
  jar?: CookieJar;
  /** Default 10,000. */
  timeoutMs?: number;
  /** Bytes of body to keep after decompression; default 2 MiB. More is cut and marked `truncated`. */
  maxBodyBytes?: number;
};

/** One request and its answer, as they were on the wire. */
export type Exchange = {
  request: { method: string; url: string; headers: HeaderList; body: string };
  status: number;
  httpVersion: string;
  /** In order, names as sent, duplicates kept. */
  headers: HeaderList;
  /** First value of a header by case-insensitive name. */
  header(name: string): string | undefined;
  /** All values of a header. */
  headerValues(name: string): string[];
  body: Uint8Array;
  /** The body decoded by its charset, UTF-8 by default. */
  text: string;
  truncated: boolean;
  remoteAddress: string;
  elapsedMs: number;
  /** Exchanges before this one when redirects were followed, oldest first. */
  redirects: Exchange[];
};

/** Cookies of one session (tough-cookie behind it). */
export type CookieJar = {
  header(url: string): string;
  store(url: string, setCookie: readonly string[]): void;
  /** Cookies as name and value, for the browser and for redaction. */
  all(): {
    name: string;
    value: string;
    domain: string;
    path: string;
    secure: boolean;
    httpOnly: boolean;
    sameSite?: string;
    hostOnly: boolean;
    /** Kept apart under each top-level site. */
    partitioned: boolean;
  }[];
  set(url: string, name: string, value: string): void;
};

export type HttpProbe = {
  /** @throws ProbeError when nothing usable came back */
  send(request: HttpRequest): Promise<Exchange>;
  get(url: string, options?: Omit<HttpRequest, 'url' | 'method'>): Promise<Exchange>;
  newJar(): CookieJar;
};

export type CertificateInfo = {
  subject: string;
  issuer: string;
  subjectAltNames: string[];
  /** RFC 3339. */
  validFrom: string;
  /** RFC 3339. */
  validTo: string;
  serialNumber: string;
  fingerprint256: string;
  keyType: string;
  keyBits: number;
  signatureAlgorithm: string;
  isSelfSigned: boolean;
};

/** In order of age. */
export const tlsVersions = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const;
export type TlsVersion = (typeof tlsVersions)[number];

export type TlsRequest = {
  host: string;
  port: number;
  /** Name for the Server Name Indication extension; "" sends none; default is `host`. */
  serverName?: string;
  /** Oldest version that is offered; default "TLSv1". */
  minVersion?: TlsVersion;
  /** Newest version that is offered; default "TLSv1.3". */
  maxVersion?: TlsVersion;
  timeoutMs?: number;
};

/** A finished TLS handshake. Verification never stops it: its result is `authorizationError`. */
export type TlsHandshake = {
  protocol: string;
  cipher: string;
  alpn: string;
  /** Leaf first. */
  chain: CertificateInfo[];
  /** OpenSSL's verification code, for instance "CERT_HAS_EXPIRED"; "" when the chain is trusted and the name fits. */
  authorizationError: string;
  /** Trusted without the operator's own authorities: others who connect trust it too. */
  isPubliclyTrusted: boolean;
  remoteAddress: string;
};

export type TlsProbe = {
  /** @throws ProbeError */
  handshake(request: TlsRequest): Promise<TlsHandshake>;
};

export type DnsAnswer = { name: string; type: string; ttlSeconds: number; data: string };

export type DnsReply = {
  /** "NOERROR", "NXDOMAIN", "SERVFAIL", …; "" when a name server hung up instead of answering. */
  rcode: string;
  answers: DnsAnswer[];
  authority: DnsAnswer[];
  /** The resolver says that DNSSEC held for this answer (AD flag). */
  authenticated: boolean;
  /** "ip:port" that answered. */
  server: string;
};

export type DnsProbe = {
  /** Asks the configured resolver, without a cache. TXT strings are joined. @throws ProbeError on timeout */
  query(name: string, type: string): Promise<DnsReply>;
  /**
   * Asks a name server itself, behind the guard, for a copy of a zone (AXFR), and takes at most its first 100 records.
   * @throws ProbeError when the server could not be asked
   */
  transfer(zone: string, server: string): Promise<DnsReply>;
};

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
  /** CSS selectors to click, in order, after load. Missing ones are passed over. */
  clicks?: string[];
  /** What scripts have kept for one session: put in before, and brought up to date afterwards for the page's origin. */
  storage?: WebStorage;
  /** Watches what script does with texts that hold one of these words of lower-case letters and digits. */
  trace?: {
    words: readonly string[];
    /** Name that the window has before the first script runs. */
    windowName?: string;
  };
  /** Total; default 10,000. */
  timeoutMs?: number;
};

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
};

/** What a real Chromium saw, in a context of its own that is gone afterwards. */
export type BrowserResult = {
  status: number;
  finalUrl: string;
  /** Messages of alert, confirm and prompt dialogs, in order. */
  dialogs: string[];
  console: string[];
  /** Requests that the page made: URL, whether the guard refused it, and headers, those for cookies left out. */
  requests: { url: string; method: string; refused: boolean; headers: HeaderList }[];
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

/** What came of a login, as far as the browser can tell. */
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
  /** The request with the password and its answer, redirects not followed. */
  answer?: Exchange;
};

export type BrowserProbe = {
  /** Why no browser is there; undefined when one is. */
  unavailable(): Promise<string | undefined>;
  /** @throws ProbeError */
  visit(visit: BrowserVisit): Promise<BrowserResult>;
  /** Fills in and sends a login, page after page, as a person would. @throws ProbeError */
  signIn(signIn: BrowserSignIn): Promise<SignedIn>;
};

export type Probes = { http: HttpProbe; tls: TlsProbe; dns: DnsProbe; browser: BrowserProbe };

/**
 * Why a probe got no answer:
 * - `forbidden_address`, `out_of_scope`: refused by the guard; nothing was sent
 * - `budget_exhausted`: the run's requests or time are used up
 * - `dns_failed`, `unreachable`, `timeout`, `tls_failed`, `protocol_error`, `too_large`: the target's doing
 * - `canceled`: the run was canceled
 * - `unavailable`: the instrument is not installed here
 */
export type ProbeErrorCode =
  | 'forbidden_address'
  | 'out_of_scope'
  | 'budget_exhausted'
  | 'dns_failed'
  | 'unreachable'
  | 'timeout'
  | 'tls_failed'
  | 'protocol_error'
  | 'too_large'
  | 'canceled'
  | 'unavailable';

export class ProbeError extends Error {
  override name = 'ProbeError';
  readonly code: ProbeErrorCode;
  constructor(code: ProbeErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** One activity's share of what a run may send to its host. */
export type BudgetShare = {
  maxRequests: number;
  /** Connections open at the same time. */
  maxConnections: number;
  requestsPerSecond: number;
  /** Epoch milliseconds after which nothing is sent. */
  deadlineMs: number;
};
