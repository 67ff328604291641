import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { DomainSchema } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { DomainRow } from '../domains/entities.ts';
import type { ChallengeRow } from './entities.ts';
import { instructionsFor } from './instructions.ts';

type DomainInit = MessageInitShape<typeof DomainSchema>;

/** A domain of an org as callers see it: its right, or what proves it, or both while a right is proven anew. */
export function describeDomain(right: DomainRow | undefined, challenge?: ChallengeRow): DomainInit {
  const known = right ?? challenge;
  if (!known) throw new Error('there is no domain to describe');
  return {
    domain: known.domain,
    orgId: known.orgId,
    status: statusOf(right, challenge),
    ...(right && describeRight(right)),
    ...(challenge && { challenge: instructionsFor(challenge) }),
  };
}

function statusOf(right: DomainRow | undefined, challenge: ChallengeRow | undefined): string {
  if (right && !right.withdrawnAt) return 'verified';
  if (challenge) return challenge.expiresAt > new Date() ? 'pending' : 'expired';
  return right?.lostReason ? 'lost' : 'withdrawn';
}

function describeRight({ method, verifiedAt, checkedAt, includeSubdomains, withdrawnAt, lostReason }: DomainRow) {
  return {
    method,
    verifiedAt: timestampFromDate(verifiedAt),
    checkedAt: timestampFromDate(checkedAt),
    includeSubdomains,
    ...(withdrawnAt && { withdrawnAt: timestampFromDate(withdrawnAt) }),
    ...(lostReason && { lostReason }),
  };
}
