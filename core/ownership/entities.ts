import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** Ways in which an owner proves a domain without staff. */
export const proofMethods = ['dns-txt', 'http-file', 'meta-tag'] as const;

/** What an org has to publish to prove a domain. Used once. */
export const ChallengeEntity = defineEntity({
  name: 'Challenge',
  tableName: 'domain_challenges',
  properties: {
    orgId: p.uuid().primary(),
    domain: p.text().primary(),
    token: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime().defaultRaw("now() + interval '7 days'"),
  },
});
export type ChallengeRow = InferEntity<typeof ChallengeEntity>;

/** One look for a proof, made by a worker. */
export const DomainCheckEntity = defineEntity({
  name: 'DomainCheck',
  tableName: 'domain_checks',
  properties: {
    id: p.uuid().primary(),
    orgId: p.uuid(),
    domain: p.text(),
    /** The first proof of a challenge, or that of a right that is still there. */
    purpose: p.enum(['verify', 'renew'] as const).columnType('text'),
    /** Empty is any. */
    method: p.enum(['', ...proofMethods] as const).columnType('text'),
    token: p.text(),
    state: p
      .enum(['pending', 'found', 'missing', 'failed'] as const)
      .columnType('text')
      .default('pending'),
    /** What was seen, in a sentence. */
    detail: p.text().default(''),
    requestedAt: p.datetime().defaultRaw('now()'),
    finishedAt: p.datetime().nullable(),
    /** The scan that needs the proof as its first step. */
    runId: p.uuid().nullable(),
  },
});
export type DomainCheckRow = InferEntity<typeof DomainCheckEntity>;
