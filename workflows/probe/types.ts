import type { BrowserProbe } from './browser/types.ts';
import type { DnsProbe } from './dns/types.ts';
import type { SmtpProbe } from './smtp/types.ts';
import type { HelloAnswer, HelloRequest, TlsLook } from './tls/hello/types.ts';

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
  /**
   * Demands HTTP/1.1, for what depends on the bytes of a message; what the server prefers by default (ALPN).
   * Fields that HTTP/2 does not have, such as Transfer-Encoding, demand it, too.
   */
  httpVersion?: '1.1';
  /** The page of a firewall is an answer, too: for what only asks whether somebody answers. Default false. */
  anyAnswer?: boolean;
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

/** Whom the certificates of a server lead to, whatever their dates and names say. */
export type CertificatePath = {
  /**
   * At a known authority; at a certificate that vouches for itself and that nobody knows; for want of an issuer, who is neither sent
   * nor known; or verification refuses the path for another reason (`authorizationError`).
   */
  end: 'trusted' | 'self-made' | 'incomplete' | 'refused';
  /** From the leaf to the end; a known authority is the last. */
  certificates: CertificateInfo[];
  /** RFC 3339: the time in which all of those are valid that a client relies on besides its own authorities; "" for dates that are none. */
  validFrom: string;
  validTo: string;
};

/** What a certificate says about its revocation: the TLS feature "must staple" (RFC 7633), and the addresses of OCSP and of lists. */
export type Revocation = { mustStaple: boolean; ocsp: string[]; crl: string[] };

/**
 * What a response of OCSP that came along says of the certificate: it is good, revoked or unknown to the responder; the response is
 * for another one, its time is over, it is an error of the responder (RFC 6960 §2.3), or nobody can read it.
 */
export type Staple = 'good' | 'revoked' | 'unknown' | 'foreign' | 'over' | 'refused' | 'unreadable';

/** In order of age. */
export const tlsVersions = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const;
export type TlsVersion = (typeof tlsVersions)[number];

/** Where TLS is spoken. */
export type TlsServer = { host: string; port: number };

export type TlsRequest = TlsServer & {
  /** Name for the Server Name Indication extension; "" sends none; default is `host`. */
  serverName?: string;
  /** Oldest version that is offered; default "TLSv1". */
  minVersion?: TlsVersion;
  /** Newest version that is offered; default "TLSv1.3". */
  maxVersion?: TlsVersion;
  /** Wait a moment for a session ticket of TLS 1.3, for what it says of early data. */
  waitsForTicket?: boolean;
  /** Ask for a response of OCSP along with the certificate (RFC 6066 §8), which a few servers refuse a handshake for. */
  asksForStaple?: boolean;
  /**
   * Not with the host, but in memory with a server of the audit's own, whose certificate for this name has no fault and a key of this
   * kind: what an instrument that finds faults has to be able to find none in. Nothing is sent.
   */
  reference?: ReferenceKey;
  timeoutMs?: number;
};

export const referenceKeys = ['ec', 'rsa'] as const;
export type ReferenceKey = (typeof referenceKeys)[number];

/**
 * A finished TLS handshake; with a server that speaks no version or cipher that OpenSSL here has, or that asks for a certificate
 * of the client's, as far as it is in the clear. Verification never stops it: its result is `authorizationError`.
 */
export type TlsHandshake = {
  protocol: string;
  cipher: string;
  alpn: string;
  /** As sent, leaf first. */
  chain: CertificateInfo[];
  /** Undefined without a certificate. */
  path: CertificatePath | undefined;
  /**
   * Algorithms of the signatures that a client relies on, the leaf's first: up to the first certificate that is a known
   * authority or signs itself, whose own signature nobody checks.
   */
  signatures: string[];
  /** OpenSSL's verification code, for instance "CERT_HAS_EXPIRED"; "" when the chain is trusted and the name fits. */
  authorizationError: string;
  /** Undefined without a certificate, and for one that cannot be read. */
  revocation: Revocation | undefined;
  /** A response of OCSP came along; undefined when none was asked for. */
  isStapled?: boolean;
  /** What that response says; undefined without one, and when the handshake was not finished. */
  staple?: Staple;
  /** Trusted without the operator's own authorities: others who connect trust it too. */
  isPubliclyTrusted: boolean;
  /** Most bytes of early data that a session ticket allowed (RFC 8446 §4.6.1); undefined when none was waited for. */
  maxEarlyDataBytes?: number;
  /** The ClientHello to which this was sent in the clear; undefined when the handshake was finished. */
  hello?: Buffer;
  remoteAddress: string;
};

export type TlsProbe = {
  /** @throws ProbeError */
  handshake(request: TlsRequest): Promise<TlsHandshake>;
  /** A handshake with the server by its own name, made once for all who ask for it. @throws ProbeError */
  presented(server: TlsServer): Promise<TlsHandshake>;
  /** One ClientHello of exactly this offer, and what comes back in the clear. A refusal is an answer. @throws ProbeError */
  hello(request: HelloRequest): Promise<HelloAnswer>;
  /** Everything that the server speaks, by some dozens of ClientHellos; looked at once for all who ask for it. @throws ProbeError */
  look(server: TlsServer): Promise<TlsLook>;
};

export type Probes = { http: HttpProbe; tls: TlsProbe; dns: DnsProbe; smtp: SmtpProbe; browser: BrowserProbe };

/**
 * Why a probe got no answer:
 * - `forbidden_address`, `out_of_scope`: refused by the guard; nothing was sent
 * - `excluded`: a path that the org excluded; nothing was sent
 * - `refused`: refused by the write gate, since it could change something; nothing was sent
 * - `budget_exhausted`, `out_of_time`: the run's requests, or its time, are used up
 * - `session_lost`: the session that is needed ended and cannot be had again
 * - `dns_failed`, `unreachable`, `timeout`, `tls_failed`, `protocol_error`, `too_large`: the target's doing
 * - `blocked`: a firewall or a limit on requests answered instead of the target
 * - `canceled`: the run was canceled
 * - `unavailable`: there is no browser here
 * - `turned_off`: the operator does not want the instrument used
 * - `browser_failed`: the audit's own browser ended, or a page's process in it; nothing is known of the target by that
 */
export type ProbeErrorCode =
  | 'forbidden_address'
  | 'out_of_scope'
  | 'excluded'
  | 'refused'
  | 'budget_exhausted'
  | 'out_of_time'
  | 'session_lost'
  | 'dns_failed'
  | 'unreachable'
  | 'timeout'
  | 'tls_failed'
  | 'protocol_error'
  | 'too_large'
  | 'blocked'
  | 'canceled'
  | 'unavailable'
  | 'turned_off'
  | 'browser_failed';

export class ProbeError extends Error {
  override name = 'ProbeError';
  readonly code: ProbeErrorCode;
  constructor(code: ProbeErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** Nothing more can be sent in this part of the scan. */
export const isOver = (error: unknown): error is ProbeError =>
  error instanceof ProbeError && final.includes(error.code);

const final: readonly ProbeErrorCode[] = ['budget_exhausted', 'out_of_time', 'session_lost'];

/** What a run may change on its target, as the scope of the domain says: see enum Writes in proto/scanaudit/v1/domains.proto. */
export type AllowedWrites = 'none' | 'reversible' | 'create';

/** One activity's share of what a run may send to its host. */
export type BudgetShare = {
  maxRequests: number;
  /** Connections open at the same time. */
  maxConnections: number;
  requestsPerSecond: number;
  /** Epoch milliseconds after which nothing is sent. */
  deadlineMs: number;
};
