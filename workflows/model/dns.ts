export type DnsAnswer = { name: string; type: string; ttlSeconds: number; data: string };

export type DnsReply = {
  /** "NOERROR", "NXDOMAIN", "SERVFAIL", …; "" when a name server hung up instead of answering. */
  rcode: string;
  answers: DnsAnswer[];
  authority: DnsAnswer[];
  /** The resolver says that DNSSEC held for this answer (AD flag). */
  authenticated: boolean;
  /** It comes from a zone of the server's own (AA flag). */
  authoritative: boolean;
  /** "ip:port" that answered. */
  server: string;
  /** What our own validation came to, when it was asked for. */
  dnssec?: DnssecVerdict;
};

/**
 * Why a chain of signatures does not hold, or ends:
 * - `ds-mismatch`, `missing-keys`: the zone has no key, or no signed keys, that the zone above vouches for
 * - `missing-signature`, `expired-signature`, `future-signature`, `no-such-key`, `wrong-signature`: records without a good signature
 * - `missing-denial`, `wrong-denial`: that there are no records is not proven, or the proof says that there are
 * - `unsigned-delegation`, `unsupported-algorithm`, `too-many-iterations`: nobody could verify it, as the zone above has proven
 * - `resolver-refuses`: a validating resolver has an answer and does not give it, and signatures cannot be seen from here
 * - `no-answer`: the servers did not answer
 */
export type DnssecFault =
  | 'ds-mismatch'
  | 'missing-keys'
  | 'missing-signature'
  | 'expired-signature'
  | 'future-signature'
  | 'no-such-key'
  | 'wrong-signature'
  | 'missing-denial'
  | 'wrong-denial'
  | 'unsigned-delegation'
  | 'unsupported-algorithm'
  | 'too-many-iterations'
  | 'resolver-refuses'
  | 'no-answer';

/** What validation came to. Source: RFC 4033 §5. */
export type DnssecVerdict = {
  status: 'secure' | 'insecure' | 'bogus' | 'indeterminate';
  /** The zone that answered, that is not signed, or whose records do not hold; "." is the root. */
  zone: string;
  /** Undefined when it is secure. */
  fault?: DnssecFault;
  /** The fault in words, without a full stop. */
  reason: string;
  /** The zones' own servers were asked, or only the resolver, as they could not be reached from here. */
  source: 'servers' | 'resolver';
};

export type DnsProbe = {
  /** Asks the configured resolver, without a cache. TXT strings are joined. @throws ProbeError on timeout */
  query(name: string, type: string): Promise<DnsReply>;
  /**
   * Asks a name server itself, behind the guard, about what it has.
   * @throws ProbeError when the server could not be asked
   */
  ask(name: string, type: string, server: string): Promise<DnsReply>;
  /**
   * Asks the resolver, and validates the answer from the trust anchor down by asking the zones' own servers, behind the guard.
   * A chain that cannot be followed is `indeterminate`.
   * @returns the resolver's answer with `dnssec` @throws ProbeError when the resolver could not be asked
   */
  validate(name: string, type: string): Promise<DnsReply & { dnssec: DnssecVerdict }>;
  /**
   * Asks a name server itself, behind the guard, for a copy of a zone (AXFR), and takes at most its first 100 records.
   * @throws ProbeError when the server could not be asked
   */
  transfer(zone: string, server: string): Promise<DnsReply>;
};
