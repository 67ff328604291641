import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { ServiceImpl } from '@connectrpc/connect';
import type { CreditService, GrantCreditsRequest } from '../../proto/gen/scanaudit/v1/credits_pb.ts';
import { recordChange } from '../audit-log/record.ts';
import { callerOrg, type Deps, deps } from '../context.ts';
import { isMissingReference, isOutOfRange } from '../db/failures.ts';
import { inOrg } from '../db/session.ts';
import { invalid, Refusal } from '../errors.ts';
import { requireOrgId } from '../fields.ts';
import { unknownOrg } from '../orgs/find-org.ts';
import { type Balance, balanceOf, grantCredit, isSameGrant } from './ledger.ts';
import { listMovements } from './list-movements.ts';

export const creditService: ServiceImpl<typeof CreditService> = {
  listCredits: (request, ctx) => {
    const { orgId } = callerOrg(deps(ctx));
    return inOrg(deps(ctx).em, orgId, (tx) => listMovements(tx, orgId, request));
  },
  grantCredits: async (request, ctx) => ({ credit: await grantCredits(deps(ctx), request) }),
};

/** @throws Refusal INVALID_PARAMETER, NOT_FOUND, IDEMPOTENCY_KEY_REUSED */
async function grantCredits(deps: Deps, request: GrantCreditsRequest): Promise<Balance> {
  const { amount, reason, idempotencyKey } = request;
  const expiresAt = request.expiresAt ? timestampDate(request.expiresAt) : null;
  if (expiresAt && expiresAt.getTime() <= Date.now())
    throw invalid('INVALID_PARAMETER', 'expiresAt', 'use a time that is to come');
  const orgId = requireOrgId(request.orgId);
  try {
    return await inOrg(deps.em, orgId, async (tx) => {
      const grant = { amount, reason, idempotencyKey, expiresAt };
      const detail = { amount, reason, expiresAt };
      if (await grantCredit(tx, orgId, grant))
        await recordChange(tx, deps, { orgId, action: 'credit.grant', subject: idempotencyKey, detail });
      else if (!(await isSameGrant(tx, orgId, grant))) throw new Refusal('IDEMPOTENCY_KEY_REUSED');
      return balanceOf(tx, orgId);
    });
  } catch (error) {
    if (isOutOfRange(error))
      throw invalid('INVALID_PARAMETER', 'amount', 'the org would have more than can be counted');
    throw isMissingReference(error) ? unknownOrg() : error;
  }
}
