import { z } from 'zod';

/** Answers of the REST API, as far as this program reads them. What else they hold is kept, and shown by --json. */

export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;
export const thresholds = [...severities, 'none'] as const;
export const scopes = ['all', 'new'] as const;
export const moments = ['completed', 'verdict'] as const;
export const statuses = ['queued', 'running', 'completed', 'failed', 'canceled'] as const;

const Counts = z.looseObject({
  critical: z.number(),
  high: z.number(),
  medium: z.number(),
  low: z.number(),
  info: z.number(),
});
const OmissionBody = z.looseObject({ code: z.string(), subject: z.string(), count: z.number(), text: z.string() });
const omissions = { gaps: z.array(OmissionBody), limits: z.array(OmissionBody) };
const Location = z.looseObject({
  url: z.string(),
  method: z.string(),
  parameter: z.string().optional(),
  parameterIn: z.string().optional(),
});
const CheckOutcome = z.looseObject({
  checkId: z.string(),
  outcome: z.string().optional(),
  reason: z.string(),
  code: z.string().optional(),
});
const Family = z.looseObject({
  id: z.string(),
  status: z.string().optional(),
  reason: z.string(),
  outcomes: z.array(CheckOutcome),
});

export const Started = z.looseObject({ runId: z.string(), host: z.string() });
export const ScanBody = z.looseObject({
  runId: z.string(),
  host: z.string(),
  url: z.string(),
  depth: z.string(),
  status: z.string(),
  phase: z.string(),
  progress: z.number(),
  createdAt: z.string(),
  startedAt: z.string().optional(),
  finishedAt: z.string().optional(),
  findingsCount: z.number(),
  severity: Counts,
  coverage: z.looseObject({ complete: z.boolean(), families: z.array(Family), ...omissions, summary: z.string() }),
  requests: z.number(),
  entriesLeft: z.number().default(0),
  credits: z.number(),
  failure: z.looseObject({ code: z.string(), detail: z.string() }).optional(),
});
export const Scans = z.looseObject({ items: z.array(ScanBody), nextCursor: z.string().optional() });
const ChainLink = z.looseObject({
  actionId: z.string(),
  title: z.string(),
  gives: z.string(),
  breaksChain: z.boolean().default(false),
  proof: z.looseObject({ curl: z.string() }).optional(),
});
export const FindingBody = z.looseObject({
  fingerprint: z.string(),
  checkId: z.string(),
  title: z.string(),
  severity: z.string(),
  category: z.string(),
  location: Location.optional(),
  description: z.string(),
  remediation: z.string(),
  proof: z.looseObject({ curl: z.string() }).optional(),
  chain: z.array(ChainLink).default([]),
});
export const Findings = z.looseObject({ items: z.array(FindingBody), nextCursor: z.string().optional() });
export const GateBody = z.looseObject({
  runId: z.string(),
  scanStatus: z.string(),
  verdict: z.string(),
  threshold: z.string(),
  scope: z.string().optional(),
  counts: Counts,
  blocking: z.array(
    z.looseObject({
      fingerprint: z.string(),
      checkId: z.string(),
      title: z.string(),
      severity: z.string(),
      location: Location.optional(),
    }),
  ),
  coverage: z.looseObject({
    complete: z.boolean(),
    ...omissions,
    acceptedGaps: z.array(z.looseObject({ code: z.string(), reason: z.string() })),
  }),
  reason: z.string(),
});

export type OmissionBody = z.infer<typeof OmissionBody>;
export type Started = z.infer<typeof Started>;
export type ScanBody = z.infer<typeof ScanBody>;
export type FindingBody = z.infer<typeof FindingBody>;
export type GateBody = z.infer<typeof GateBody>;
export type Location = z.infer<typeof Location>;
export type Severity = (typeof severities)[number];

/** RFC 9457 problem details, with the members that this program explains. */
export const Problem = z.looseObject({
  title: z.string().default(''),
  detail: z.string().default(''),
  code: z.string().default(''),
  requestId: z.string().optional(),
  scanStatus: z.string().optional(),
  requiredScope: z.string().optional(),
  ownership: z.looseObject({ domain: z.string(), methods: z.array(z.string()) }).optional(),
  checkoutHint: z.looseObject({ message: z.string(), url: z.string().optional() }).optional(),
});
export type Problem = z.infer<typeof Problem>;
