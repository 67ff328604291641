import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { callerOrg, type Deps } from '../context.ts';
import { inOrg } from '../db/session.ts';
import { type KnownDomain, readDomain } from '../domains/known-domain.ts';
import { parseDomain } from '../domains/name.ts';
import { unknownDomain } from '../domains/right.ts';
import { invalid, Refusal } from '../errors.ts';
import { DomainCheckEntity, type DomainCheckRow, proofMethods } from './entities.ts';

/** Looks for one org's proof of one domain: each makes traffic to a host that is not yet known to be the org's. */
const maxChecksPerHour = 5;
/** The call waits for the worker's look this long. */
const maxWaitMs = 20_000;
const pollMs = 200;

type Verification = KnownDomain & { check: DomainCheckRow };

/**
 * Lets a worker look for the proof of a challenge now, and waits for what it sees.
 * @returns what is known then; the check is still pending when the worker took longer than the call waits
 * @throws Refusal INVALID_PARAMETER, NOT_FOUND also when the domain is given back meanwhile, RATE_LIMITED, UNAVAILABLE
 *   when Temporal is down
 */
export async function verifyDomain(deps: Deps, request: { domain: string; method: string }): Promise<Verification> {
  const { orgId } = callerOrg(deps);
  const { name: domain } = parseDomain('domain', request.domain);
  const method = proofMethods.find((known) => known === request.method) ?? '';
  if (request.method !== method) throw invalid('INVALID_PARAMETER', 'method', `use ${proofMethods.join(', ')}`);
  const id = await inOrg(deps.em, orgId, (tx) => requestCheck(tx, orgId, domain, method));
  try {
    await deps.temporal.verify(id);
  } catch (error) {
    await inOrg(deps.em, orgId, (tx) => tx.nativeDelete(DomainCheckEntity, { id }));
    deps.log.warn({ err: error }, 'a verification could not be started');
    throw new Refusal('UNAVAILABLE', { retryAfterMs: 1_000 });
  }
  for (const untilMs = Date.now() + maxWaitMs; ; await sleep(pollMs)) {
    const seen = await inOrg(deps.em, orgId, async (tx) => ({
      check: await tx.findOneOrFail(DomainCheckEntity, { id }),
      ...(await readDomain(tx, orgId, domain)),
    }));
    if (!seen.right && !seen.challenge) throw unknownDomain();
    if (seen.check.state !== 'pending' || Date.now() > untilMs || deps.signal.aborted) return seen;
  }
}

/** Counted under the challenge's lock, on the database's clock: exact for any number of cores. */
async function requestCheck(
  tx: EntityManager,
  orgId: string,
  domain: string,
  method: DomainCheckRow['method'],
): Promise<string> {
  const [challenge] = await tx.execute<{ token: string; is_live: boolean }[]>(
    'select token, expires_at > now() as is_live from domain_challenges where org_id = ? and domain = ? for update',
    [orgId, domain],
  );
  if (!challenge) throw unknownDomain();
  if (!challenge.is_live) throw new Refusal('CHALLENGE_EXPIRED');
  const [used] = await tx.execute<{ count: number; wait_ms: number }[]>(
    `select count(*)::integer as count,
       (extract(epoch from min(requested_at) + interval '1 hour' - now()) * 1000)::integer as wait_ms
     from domain_checks where org_id = ? and domain = ? and purpose = 'verify' and requested_at > now() - interval '1 hour'`,
    [orgId, domain],
  );
  if (used && used.count >= maxChecksPerHour)
    throw new Refusal('RATE_LIMITED', {
      message: `A domain can be verified ${maxChecksPerHour} times an hour at most.`,
      retryAfterMs: used.wait_ms,
    });
  const id = randomUUIDv7();
  await tx.insert(DomainCheckEntity, { id, orgId, domain, purpose: 'verify', method, token: challenge.token });
  return id;
}
