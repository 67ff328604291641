/** In order of age. */
export const helloVersions = ['SSLv3', 'TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const;
export type HelloVersion = (typeof helloVersions)[number];

/** What one ClientHello offers, by the names of IANA's registries; nothing else is in it. */
export type HelloOffer = {
  versions: readonly HelloVersion[];
  suites: readonly string[];
  /**
   * By default all that are known, with those for Diffie-Hellman in a field (RFC 7919) for TLS 1.3 alone: in older versions they would
   * hide the prime that other clients are given. None, and the extension is left out.
   */
  groups?: readonly string[];
  /** All that are known by default. */
  signatures?: readonly string[];
  /** "null" and "deflate"; "null" alone by default. */
  compressions?: readonly string[];
  /** "h2" and "http/1.1" by default. */
  alpn?: readonly string[];
  /**
   * Groups of which a public key is sent along for TLS 1.3: "x25519" and "secp256r1" can be. None by default: the server then
   * names its group in a HelloRetryRequest, before either side has computed anything.
   */
  keyShares?: readonly string[];
};

export type HelloRequest = TlsServer &
  HelloOffer & {
    /** Name for the Server Name Indication extension; "" sends none; default is `host`. */
    serverName?: string;
    timeoutMs?: number;
  };

/** What a server answers to a ClientHello, as far as it is in the clear. */
export type HelloAnswer = {
  /**
   * `accepted`: a whole first flight (TLS 1.2 and older) or a ServerHello or HelloRetryRequest (TLS 1.3) with choices out of what was
   * offered. `mismatched`: choices that were not offered. `refused`: an alert, or the end of the connection.
   */
  outcome: 'accepted' | 'mismatched' | 'refused';
  /** Why it was refused: the alert by its name, or "closed" when the connection ended without one. "" otherwise. */
  alert: string;
  /** "" in a refusal, as all other names. */
  version: string;
  suite: string;
  compression: string;
  /** Of the key exchange, as far as it is named. */
  group: string;
  /** Of the signature over the key exchange; TLS 1.2 alone names it in the clear. */
  signature: string;
  /** Length of the prime of a Diffie-Hellman key exchange in a field. */
  dhBits?: number;
  /** Length of the RSA key that an EXPORT suite makes for the connection. */
  exportBits?: number;
  /** The server supports secure renegotiation (RFC 5746). Absent in TLS 1.3, which has no renegotiation. */
  isRenegotiationSecure: boolean;
  alpn: string;
  /** A response of OCSP came along (RFC 6066 §8). */
  isStapled: boolean;
  /** Mutual TLS: a certificate of the client's is asked for. */
  asksForCertificate: boolean;
  /** DER, as sent, leaf first; empty in TLS 1.3, which encrypts them. */
  certificates: readonly Buffer[];
  /** The record that was sent. */
  sent: Buffer;
  remoteAddress: string;
};

/** One suite that a server accepts, and the key exchange that it made with it. */
export type SuiteSeen = { name: string; group?: string; dhBits?: number };

export type VersionSeen = {
  version: HelloVersion;
  suites: SuiteSeen[];
  /** The order of the server decides, and not that of the client; undefined when there is no choice. */
  isServerOrdered?: boolean;
};

/** What a server speaks, found out by ClientHellos alone. */
export type TlsLook = TlsServer & {
  /** Those that are accepted, oldest first. */
  versions: VersionSeen[];
  /** By the server's preference. */
  groups: string[];
  /** Of the key exchange in TLS 1.2, by the server's preference. */
  signatures: string[];
  compresses: boolean;
  /** Of the versions below TLS 1.3; undefined when there is none. */
  isRenegotiationSecure: boolean | undefined;
  /** In any version; undefined when nothing was seen of it, since a client's certificate is demanded for instance. */
  isStapled: boolean | undefined;
  /** Undefined when no certificate was seen. */
  revocation: Revocation | undefined;
  /** Of "h2" and "http/1.1". */
  alpn: string[];
  asksForCertificate: boolean;
  /** Whether a client that names no server gets the same certificate, another one, or none. */
  withoutServerName: 'same' | 'other' | 'refused';
  /** Most bytes of early data that a session ticket of TLS 1.3 allows; 0 without them. */
  maxEarlyDataBytes: number;
};

/** What a certificate says about its revocation: the TLS feature "must staple" (RFC 7633), and the addresses of OCSP and of lists. */
export type Revocation = { mustStaple: boolean; ocsp: string[]; crl: string[] };

/** Where TLS is spoken. */
export type TlsServer = { host: string; port: number };
