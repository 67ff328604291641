import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { recordChange, systemActor } from '../../../core/audit-log/record.ts';
import { CallbackEntity } from '../../../core/callbacks/entities.ts';
import { FamilyCoverageEntity, OmissionEntity } from '../../../core/coverage/entities.ts';
import { CreditAccountEntity } from '../../../core/credits/entities.ts';
import { grantCredit, reserveCredit } from '../../../core/credits/ledger.ts';
import { inOrg } from '../../../core/db/session.ts';
import { DomainEntity, LoginEntity } from '../../../core/domains/entities.ts';
import { ScopeDocumentEntity, ScopeHeaderEntity } from '../../../core/domains/scope-entities.ts';
import { DecisionEntity, FindingEntity } from '../../../core/findings/entities.ts';
import { ApiKeyEntity } from '../../../core/keys/entities.ts';
import { OrgEntity } from '../../../core/orgs/entities.ts';
import { OutboxEntity } from '../../../core/outbox/entities.ts';
import { ChallengeEntity, DomainCheckEntity } from '../../../core/ownership/entities.ts';
import {
  ArtifactEntity,
  FactEntity,
  PermissionsEntity,
  RunSecretEntity,
  WriteEntity,
} from '../../../core/runs/entities.ts';
import { IdempotencyKeyEntity, ScanEntity } from '../../../core/scans/entities.ts';

/** An org with at least one row in every table that belongs to orgs. */
export async function seedOrg(em: EntityManager): Promise<{ orgId: string; runId: string }> {
  const [orgId, runId] = [randomUUID(), randomUUID()];
  const now = new Date();
  const of = { orgId, runId };
  await inOrg(em, orgId, async (tx) => {
    await tx.insert(OrgEntity, { id: orgId, name: 'x', plan: 'team', gateThreshold: 0 });
    await tx.insert(CreditAccountEntity, { orgId });
    const key = { keyId: randomUUID().slice(0, 8), orgId, kind: 'org' as const, name: 'x', scopes: [] };
    await tx.insert(ApiKeyEntity, { ...key, hash: Buffer.alloc(32) });
    const domain = { orgId, domain: 'example.com', method: 'operator' as const, verifiedAt: now };
    await tx.insert(DomainEntity, { ...domain, includeSubdomains: false, startUrls: [], excludedPaths: [] });
    await tx.insert(LoginEntity, {
      orgId,
      domain: 'example.com',
      name: 'a',
      kind: 'bearer',
      role: 'user',
      settings: 'x',
    });
    const ofDomain = { orgId, domain: 'example.com' };
    await tx.insert(ScopeHeaderEntity, { ...ofDomain, name: 'x', value: 'x' });
    await tx.insert(ScopeDocumentEntity, { ...ofDomain, name: 'x', format: 'har', requests: 1, content: 'x' });
    await tx.insert(ChallengeEntity, { orgId, domain: 'example.com', token: randomUUID() });
    const check = { id: randomUUID(), orgId, domain: 'example.com', purpose: 'verify' as const, method: '' as const };
    await tx.insert(DomainCheckEntity, { ...check, token: 'x' });
    await grantCredit(tx, orgId, { amount: 10, reason: 'x', idempotencyKey: 'x', expiresAt: new Date('2090-01-01') });
  });
  const { holdId = '' } = await reserveCredit(em, { orgId, amount: 1, runId });
  await inOrg(em, orgId, async (tx) => {
    const proof = { domain: 'example.com', ownershipMethod: 'operator' as const, ownershipVerifiedAt: now };
    const target = { keyId: 'abcdefgh', host: 'example.com', url: 'https://example.com/', depth: 'standard' as const };
    await tx.insert(ScanEntity, { ...of, ...target, credits: 1, holdId, ...proof });
    await tx.insert(OutboxEntity, { orgId, kind: 'start', key: runId, payload: { runId, depth: 'standard' } });
    await tx.insert(IdempotencyKeyEntity, { orgId, key: 'x', requestHash: 'x', response: {}, expiresAt: now });
    const finding = { id: 'x', checkId: 'a.b', severity: 1, firstSeenRunId: runId, body: {} };
    await tx.insert(FindingEntity, { ...of, ...finding, fingerprint: 'a'.repeat(32) });
    await tx.insert(FamilyCoverageEntity, { ...of, family: 'x', body: {} });
    const omission = { family: 'x', code: 'budget', subject: 'x', count: 1, text: 'x' };
    await tx.insert(OmissionEntity, { ...of, ...omission });
    await tx.insert(FactEntity, { ...of, id: 'x', body: {} });
    const content = Buffer.from('x');
    await tx.insert(ArtifactEntity, { ...of, name: 'x', ref: 'a'.repeat(64), contentType: 'x', sizeBytes: 1, content });
    await tx.insert(WriteEntity, { ...of, id: 'x', state: 'pending', body: {} });
    const decision = { orgId, host: 'example.com', fingerprint: 'a'.repeat(32), state: 'accepted_risk' as const };
    await tx.insert(DecisionEntity, { ...decision, reason: 'x' });
    await recordChange(tx, systemActor, { orgId, action: 'org.create', subject: orgId });
    await tx.insert(PermissionsEntity, { ...of, body: {} });
    await tx.insert(CallbackEntity, { ...of, token: 'x', protocol: 'http', address: '192.0.2.1', detail: '' });
    await tx.insert(RunSecretEntity, { ...of, ref: 'x', value: 'x' });
  });
  return { orgId, runId };
}
