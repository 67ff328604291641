import { randomBytes } from 'node:crypto';
import { recordChange } from '../audit-log/record.ts';
import { callerOrg, type Deps } from '../context.ts';
import { inOrg } from '../db/session.ts';
import { type KnownDomain, readDomain } from '../domains/known-domain.ts';
import { parseDomain } from '../domains/name.ts';
import { unknownDomain } from '../domains/right.ts';
import { cancelScans } from '../endings/cancel-scans.ts';
import { invalid, Refusal } from '../errors.ts';
import { ChallengeEntity } from './entities.ts';

/** 160 bits: nothing to guess. */
const newToken = () => randomBytes(20).toString('hex');

/**
 * Gives an org a challenge for a domain. One that has not expired is given again, so that repeating the call makes
 * nothing worthless that is being published.
 * @throws Refusal INVALID_PARAMETER, ALREADY_EXISTS when staff have approved the domain
 */
export function registerDomain(deps: Deps, text: string): Promise<KnownDomain> {
  const { name: domain, isAddress, isSingleLabel } = parseDomain('domain', text);
  if (isAddress || isSingleLabel)
    throw invalid('INVALID_PARAMETER', 'domain', 'addresses and names inside a network are approved by staff');
  const { orgId } = callerOrg(deps);
  return inOrg(deps.em, orgId, async (tx) => {
    const { right, challenge } = await readDomain(tx, orgId, domain);
    if (right?.method === 'operator' && !right.withdrawnAt)
      throw new Refusal('ALREADY_EXISTS', {
        message: 'The operator of the service has approved this domain: there is nothing to prove.',
        advice: 'Start a scan of it.',
      });
    if (challenge && challenge.expiresAt > new Date()) return { right, challenge };
    await tx.execute('delete from domain_challenges where org_id = ? and domain = ? and expires_at <= now()', [
      orgId,
      domain,
    ]);
    // Of calls at once one makes the challenge, and all answer it: the row is held, so that no call that gives the domain
    // back can take it away before it is read. A row that was just inserted has no transaction that updated it.
    const [given] = await tx.execute<{ is_new: boolean }[]>(
      `insert into domain_challenges as known (org_id, domain, token) values (?, ?, ?)
       on conflict (org_id, domain) do update set token = known.token returning xmax = 0 as is_new`,
      [orgId, domain, newToken()],
    );
    if (given?.is_new) await recordChange(tx, deps, { orgId, action: 'domain.register', subject: domain });
    return { right, challenge: await tx.findOneOrFail(ChallengeEntity, { orgId, domain }, { refresh: true }) };
  });
}

/** @throws Refusal INVALID_PARAMETER, NOT_FOUND */
export function getDomain(deps: Deps, text: string): Promise<KnownDomain> {
  const { orgId } = callerOrg(deps);
  const { name: domain } = parseDomain('domain', text);
  return inOrg(deps.em, orgId, async (tx) => {
    const known = await readDomain(tx, orgId, domain);
    if (!known.right && !known.challenge) throw unknownDomain();
    return known;
  });
}

/**
 * Gives a domain back: the right ends, and its unfinished scans are canceled; its logins, headers, documents and
 * challenge are deleted.
 * @throws Refusal INVALID_PARAMETER, NOT_FOUND
 */
export async function deleteDomain(deps: Deps, text: string): Promise<void> {
  const { orgId } = callerOrg(deps);
  const { name: domain } = parseDomain('domain', text);
  await inOrg(deps.em, orgId, async (tx) => {
    // Held before anything is read: a proof that is recorded in the same moment is given back with the rest.
    await tx.execute('select from domain_challenges where org_id = ? and domain = ? for update', [orgId, domain]);
    const { right, challenge } = await readDomain(tx, orgId, domain);
    if (!challenge && (!right || right.withdrawnAt)) throw unknownDomain();
    if (right) {
      right.withdrawnAt ??= new Date();
      // Nobody who proves the domain later inherits the leave to do more; stricter settings stay.
      if (right.writes === 'create') right.writes = 'reversible';
      right.headersOverHttp = false;
    }
    await tx.flush();
    await tx.execute('delete from domain_challenges where org_id = ? and domain = ?', [orgId, domain]);
    for (const table of ['logins', 'scope_headers', 'scope_documents'])
      await tx.execute(`delete from ${table} where org_id = ? and domain = ?`, [orgId, domain]);
    const canceledScans = await cancelScans(tx, orgId, { domain });
    await recordChange(tx, deps, { orgId, action: 'domain.delete', subject: domain, detail: { canceledScans } });
  });
  deps.dispatcher.wake();
}
