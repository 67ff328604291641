/** What the instruments offer to checks. All traffic of an audit goes through these, behind the target guard. */

export type HeaderList = readonly (readonly [name: string, value: string])[];

export type HttpRequest = {
  /** Default "GET". */
  method?: string;
  /** Absolute http or https URL. Its path and query are sent as written, not normalised. */
  url: string;
  headers?: HeaderList;
  /** Beside a Content-Length of the caller's own it is sent byte for byte, whatever that says: with `fresh` and `httpVersion` alone. */
  body?: string | Uint8Array;
  /** Redirects to follow within the scope; default 0. Each hop is an exchange of its own and is re-checked by the guard. */
  maxRedirects?: number;
  /** Use no connection, cache or cookie from before. Default false. */
  fresh?: boolean;
  /**
   * Demands HTTP/1.1, for what depends on the bytes of a message; what the server prefers by default (ALPN).
   * Fields that HTTP/2 does not have, such as Transfer-Encoding, demand it, too.
   */
  httpVersion?: '1.1';
  /** The page of a firewall is an answer, too: for what only asks whether somebody answers. Default false. */
  anyAnswer?: boolean;
  /**
   * A server that closes the connection instead of answering, and answers others, has failed at this request: that is an answer with
   * status 502, as a gateway in front of it gives, and `closedNote` in its headers. Default false: `unreachable` is thrown.
   */
  closingIsAnswer?: boolean;
  /** Cookies to send and to keep: those of one session. None by default. */
  jar?: CookieJar;
  /** What this session was answered before does, as long as its cookies are the same. Without a jar that is so by default; with one it is false. */
  mayBeKept?: boolean;
  /** It is about the answer alone, whatever the method: an identical one is answered by the cache, too. Default false. */
  isRepeatable?: boolean;
  /** Nobody sends an identical one, so that its answer takes no room in the cache. Default false. */
  isUnique?: boolean;
  /** Default 10,000. */
  timeoutMs?: number;
  /** Bytes of body to keep after decompression; default 2 MiB. More is cut and marked `truncated`. */
  maxBodyBytes?: number;
};

/** In the place of an answer that never came. */
export const closedNote: readonly [name: string, value: string] = [
  'Scan-Audit-Note',
  'the server closed the connection without an answer',
];

/** One request and its answer, as they were on the wire. */
export type Exchange = {
  request: { method: string; url: string; headers: HeaderList; body: string };
  status: number;
  /** "1.1" or "2". With "2" names of headers are in lower case. */
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
  /** From the request, over an open connection, to the end of the body. */
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
  /**
   * From here on cookies whose value is a word keep it: they are choices such as a language, a theme or a mode, and a request that
   * tries something in the form for them would choose for all requests after it. Deletions, and what looks random, pass.
   */
  settle(): void;
};

export type HttpProbe = {
  /** @throws ProbeError when nothing usable came back */
  send(request: HttpRequest): Promise<Exchange>;
  get(url: string, options?: Omit<HttpRequest, 'url' | 'method'>): Promise<Exchange>;
  newJar(): CookieJar;
};
