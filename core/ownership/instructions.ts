import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { ChallengeSchema } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { ChallengeRow } from './entities.ts';

/** What to publish for a challenge, in each of the ways. The worker looks for exactly this (workflows/ownership). */
export function instructionsFor({ domain, token, expiresAt }: ChallengeRow): MessageInitShape<typeof ChallengeSchema> {
  const text = `scan-audit-verification=${token}`;
  return {
    token,
    expiresAt: timestampFromDate(expiresAt),
    dnsTxt: { name: `_scan-audit.${domain}`, value: text },
    httpFile: { url: `https://${domain}/.well-known/scan-audit-verification.txt`, content: text },
    metaTag: { html: `<meta name="scan-audit-verification" content="${token}">` },
  };
}
