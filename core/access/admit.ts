import type { Caller } from '../context.ts';
import { invalid, Refusal } from '../errors.ts';
import type { Policy } from './policy.ts';

/**
 * Whether the caller may call at all: its plan first, then its kind of key and scope.
 * @throws Refusal API_ACCESS_NOT_IN_PLAN, WRONG_KEY_KIND, INSUFFICIENT_SCOPE, INVALID_PARAMETER, NOT_FOUND
 */
export function admit(caller: Caller, policy: Policy, namedOrg: string | null): void {
  if (caller.kind === 'org' && !caller.org?.plan.apiAccess)
    throw new Refusal('API_ACCESS_NOT_IN_PLAN', { metadata: { requiredEntitlement: 'api_access' } });
  if (!policy.kinds.has(caller.kind)) throw wrongKind(caller, policy);
  const isScoped = caller.kind === 'org' || caller.kind === 'service';
  if (isScoped && policy.scope !== '' && !caller.scopes.includes(policy.scope))
    throw new Refusal('INSUFFICIENT_SCOPE', {
      message: `The API key lacks the scope ${policy.scope}.`,
      metadata: { requiredScope: policy.scope },
    });
  if (!policy.needsOrg || caller.org) return;
  if (!namedOrg) throw invalid('INVALID_PARAMETER', 'x-scan-audit-org', 'name the org that the call is for');
  throw new Refusal('NOT_FOUND', { message: 'There is no such org.' });
}

const wrongKind = ({ kind }: Caller, { kinds }: Policy): Refusal =>
  new Refusal('WRONG_KEY_KIND', {
    message: `A key of kind ${kind} cannot be used here.`,
    advice: `Use one of kind ${[...kinds].join(' or ')}.`,
  });
