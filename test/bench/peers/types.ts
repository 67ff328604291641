/** What is looked at: TLS alone, headers and cookies, or the demo shop. */
export type TargetKind = 'tls' | 'headers' | 'shop';

/** A server of this process that tools look at, and the weaknesses that it was built with. */
export type Target = {
  name: string;
  kind: TargetKind;
  host: string;
  /** HTTPS. */
  port: number;
  /** Plain HTTP, where there is any. */
  httpPort?: number;
  url: string;
  /** "ip:port" of the name server that has its records, where it has any. */
  dnsServer?: string;
  /** Words of the ground truth (truth.ts). */
  planted: readonly string[];
  /** Repaired in everything: whatever is said of it above informational is false. */
  isTwin: boolean;
  /** Requests that have arrived so far; of a TLS target, connections. */
  arrived(): number;
};

/** One thing that a tool says of a target. */
export type Claim = {
  /** The word of the ground truth for it; undefined when there is none. */
  weakness: string | undefined;
  /** As the tool names it. */
  text: string;
  isInformational: boolean;
};

export type Tool = {
  name: string;
  kinds: readonly TargetKind[];
  /** What its figures do not show: parts that were not asked for, and an end of its time. */
  limits?: string;
  /** Gets ready for a target, before the clock runs. */
  prepare?(target: Target): Promise<void>;
  /** Looks at one target as its manual says. @throws Error when it cannot */
  run(target: Target): Promise<Claim[]>;
};

/** A tool that is ready, or why it is not. */
export type Peer = Tool | { name: string; skipped: string };
