import type { HelloAnswer, HelloRequest, Revocation, TlsLook, TlsServer } from './tls-hello.ts';

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
  /** SHA-256 of its SubjectPublicKeyInfo, in hexadecimal; "" for a key that cannot be read. */
  publicKeyDigest: string;
  signatureAlgorithm: string;
  isSelfSigned: boolean;
};

/** Whom the certificates of a server lead to, whatever their dates and names say. */
export type CertificatePath = {
  /**
   * At a known authority; at a certificate that vouches for itself and that nobody knows; for want of an issuer, who is neither sent
   * nor known; or verification refuses the path for another reason (`authorizationError`).
   */
  end: 'trusted' | 'self-signed' | 'incomplete' | 'refused';
  /** From the leaf to the end; a known authority is the last. */
  certificates: CertificateInfo[];
  /** RFC 3339: the time in which all of those are valid that a client relies on besides its own authorities; "" for dates that are none. */
  validFrom: string;
  validTo: string;
};

/**
 * What a response of OCSP that came along says of the certificate: it is good, revoked or unknown to the responder; the response is
 * for another one, it has expired, it is an error of the responder (RFC 6960 §2.3), or nobody can read it.
 */
export type Staple = 'good' | 'revoked' | 'unknown' | 'foreign' | 'over' | 'refused' | 'unreadable';

/** In order of age. */
export const tlsVersions = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const;

export type TlsVersion = (typeof tlsVersions)[number];

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
