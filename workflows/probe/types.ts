import type { BrowserProbe } from './browser/types.ts';

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
