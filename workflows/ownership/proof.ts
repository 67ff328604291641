import type { Probes } from '../model/probes.ts';

/** What an org publishes to prove a domain. The instructions that it was given are in core/ownership/instructions.ts. */
export const proofText = (token: string): string => `scan-audit-verification=${token}`;

export const metaName = 'scan-audit-verification';
export const dnsLabel = '_scan-audit';
export const filePath = '/.well-known/scan-audit-verification.txt';

export const methods = ['dns-txt', 'http-file', 'meta-tag'] as const;
export type ProofMethod = (typeof methods)[number];

/** What a look showed: the proof, that it is not there, or that nobody could look. With a sentence for people. */
export type ProofOutcome = { outcome: 'found' | 'missing' | 'failed'; detail: string };

/** Where HTTP is looked for; a host's own ports in everyday life. */
type WebPorts = { https: number; http: number };
export const usualPorts: WebPorts = { https: 443, http: 80 };

/** What a look works with. */
export type Instruments = {
  /** Instruments whose scope is one URL's host and port, behind the target guard. */
  probesFor(url: string): Pick<Probes, 'http' | 'dns'>;
  ports: WebPorts;
};

export const found: ProofOutcome = { outcome: 'found', detail: '' };
export const missing = (detail: string): ProofOutcome => ({ outcome: 'missing', detail });
export const failed = (detail: string): ProofOutcome => ({ outcome: 'failed', detail });
