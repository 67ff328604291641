import type { EntityManager } from '@mikro-orm/postgresql';
import { ChallengeEntity, type ChallengeRow } from '../ownership/entities.ts';
import { DomainEntity, type DomainRow } from './entities.ts';

export type KnownDomain = { right: DomainRow | undefined; challenge: ChallengeRow | undefined };

/** What an org has of a domain; both undefined when it has never named it. */
export async function readDomain(tx: EntityManager, orgId: string, domain: string): Promise<KnownDomain> {
  const right = await tx.findOne(DomainEntity, { orgId, domain });
  const challenge = await tx.findOne(ChallengeEntity, { orgId, domain });
  return { right: right ?? undefined, challenge: challenge ?? undefined };
}
