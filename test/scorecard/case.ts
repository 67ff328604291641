import type { AuditOptions } from '../workflows/checks/harness.ts';
import type { Ports } from '../workflows/checks/tls/standard-ports.ts';

/** A running site that is audited, and what it takes to audit it. What `startSite` gives is one. */
export type ScoreSite = {
  url: string;
  options?: AuditOptions;
  /** The site is a host with the usual ports, which are forwarded to these. */
  ports?: Ports;
  close(): Promise<void>;
};

/** One way in which a site has the weakness, and the same site as its developer would mend it. */
export type ScoreCase = {
  /** What sort of site it is, for instance "PHP-like shop with a query string". */
  name: string;
  /** The check has to report the weakness on `vulnerable`, and nothing on `patched`. */
  start(variant: Variant): Promise<ScoreSite>;
};

export const variants = ['vulnerable', 'patched'] as const;
export type Variant = (typeof variants)[number];
