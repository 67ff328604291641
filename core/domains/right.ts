import { isIP } from 'node:net';
import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { fieldsOf, type Statement } from '../db/session.ts';
import { Refusal } from '../errors.ts';
import { proofMethods } from '../ownership/entities.ts';
import { DomainEntity, type DomainRow } from './entities.ts';
import { coveringNames, domainToProve } from './name.ts';

/**
 * The org's right that covers a host: the domain itself, or a parent whose right includes subdomains; the nearest.
 * @param host normalised: lower case, Punycode, no trailing dot
 */
export async function domainFor(tx: EntityManager, orgId: string, host: string): Promise<DomainRow | undefined> {
  const names = coveringNames(host);
  return nearest(await tx.find(DomainEntity, { orgId, domain: { $in: names }, withdrawnAt: null }), host);
}

function nearest<T extends Pick<DomainRow, 'domain' | 'includeSubdomains'>>(
  rights: readonly T[],
  host: string,
): T | undefined {
  const names = coveringNames(host);
  return rights
    .filter(({ domain, includeSubdomains }) => domain === host || includeSubdomains)
    .toSorted((a, b) => names.indexOf(a.domain) - names.indexOf(b.domain))[0];
}

/**
 * As `domainFor`, for those who cannot go on without it.
 * @throws Refusal DOMAIN_NOT_VERIFIED that says what to prove and how
 */
export async function requireDomain(tx: EntityManager, orgId: string, host: string): Promise<DomainRow> {
  const right = await domainFor(tx, orgId, host);
  if (right) return right;
  throw notVerified(host);
}

/** What a scan keeps of the right that it was started with. */
export type ScanRight = Pick<DomainRow, 'domain' | 'includeSubdomains' | 'method' | 'verifiedAt'>;

/** The rights among which is the one that covers a host, if any does. */
export const rightsAround = (orgId: string, host: string): Statement => ({
  sql: `select domain, include_subdomains, method, verified_at from domains
    where org_id = ? and domain = any(array[?]) and withdrawn_at is null`,
  params: [orgId, coveringNames(host)],
});

/**
 * As `requireDomain`, of the rows that `rightsAround` answered.
 * @throws Refusal DOMAIN_NOT_VERIFIED
 */
export function requireAmong(em: EntityManager, rows: readonly Record<string, unknown>[], host: string): ScanRight {
  const right = nearest(
    rows.map((row) => fieldsOf(em, DomainEntity, row) as ScanRight),
    host,
  );
  if (right) return right;
  throw notVerified(host);
}

/** Whether a right is still there. */
export const isStillRight = (orgId: string, { domain }: ScanRight): Statement => ({
  sql: 'exists (select from domains where org_id = ? and domain = ? and withdrawn_at is null)',
  params: [orgId, domain],
});

function notVerified(host: string): Refusal {
  const domain = domainToProve(host);
  const { methods, advice } = isByStaff(domain) ? byStaff : byOwner(domain);
  return new Refusal('DOMAIN_NOT_VERIFIED', {
    message: `${domain} is not proven to be your organisation's.`,
    advice,
    metadata: { domain },
    ownership: { domain, methods },
  });
}

export const unknownDomain = () =>
  new Refusal('NOT_FOUND', {
    message: 'Your organisation has no such domain.',
    advice: 'Check its spelling; GET /api/v1/domains lists those that it has.',
  });

/**
 * The org's right to a domain, held until the transaction ends: who changes what belongs to it waits for others who do,
 * and for who gives it back.
 * @throws Refusal NOT_FOUND
 */
export async function holdRight(tx: EntityManager, orgId: string, domain: string): Promise<DomainRow> {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
  const right = await tx.findOne(DomainEntity, { orgId, domain, withdrawnAt: null }, lock);
  if (!right) throw unknownDomain();
  return right;
}

/** Addresses, and names that only mean something inside a network. */
const isByStaff = (domain: string): boolean => isIP(domain) !== 0 || !domain.includes('.');

const byStaff = { methods: ['operator'], advice: 'Ask the operator of the service to approve it.' };

const byOwner = (domain: string) => ({
  methods: [...proofMethods],
  advice: `Prove it: POST /api/v1/domains {"domain": "${domain}"}, publish one of the proofs that it answers, then POST /api/v1/domains/${domain}/verify. Start the scan again after that.`,
});
