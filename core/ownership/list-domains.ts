import { z } from 'zod';
import { callerOrg, type Deps } from '../context.ts';
import { inOrg } from '../db/session.ts';
import { DomainEntity } from '../domains/entities.ts';
import type { KnownDomain } from '../domains/known-domain.ts';
import { cursorOf, pageOf, pageSize } from '../paging.ts';
import { ChallengeEntity } from './entities.ts';

/** The last domain of the page before. */
const place = cursorOf(z.string().max(253));

/**
 * A page of the org's domains by name: rights, withdrawn and lost ones too, and domains that are still to be proven.
 * @throws Refusal INVALID_PARAMETER
 */
export function listDomains(
  deps: Deps,
  request: { limit?: number | undefined; cursor: string },
): Promise<{ domains: KnownDomain[]; nextCursor?: string }> {
  const { orgId } = callerOrg(deps);
  const limit = pageSize(request.limit);
  const after = place.read(request.cursor) ?? '';
  return inOrg(deps.em, orgId, async (tx) => {
    const rows = await tx.execute<{ domain: string }[]>(
      `select domain from (
         select domain collate "C" from domains where org_id = :orgId
         union select domain collate "C" from domain_challenges where org_id = :orgId
       ) as known where domain > :after order by domain limit :limit`,
      { orgId, after, limit: limit + 1 },
    );
    const { page, next } = pageOf(rows, limit, ({ domain }) => place.write(domain));
    const named = { orgId, domain: { $in: page.map(({ domain }) => domain) } };
    const rights = new Map((await tx.find(DomainEntity, named)).map((right) => [right.domain, right]));
    const challenges = new Map((await tx.find(ChallengeEntity, named)).map((each) => [each.domain, each]));
    const domains = page.map(({ domain }) => ({ right: rights.get(domain), challenge: challenges.get(domain) }));
    return { domains, ...next };
  });
}
