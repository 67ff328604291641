import { create, toJson } from '@bufbuild/protobuf';
import { FindingSchema, Severity } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import type { Check } from '../../../workflows/checks/contract.ts';
import type { FindingInit } from '../../../workflows/checks/finding.ts';
import { loadRegistry } from '../../../workflows/checks/registry.ts';
import { type Audit, check, openAudit } from '../../workflows/checks/harness.ts';
import { wordsFor } from './our-words.ts';
import type { Claim, Target, Tool } from './types.ts';

/**
 * The whole look of our TLS family at one host after the other, in this process: beside tools that look at nothing else and
 * have no service around them.
 * @param authority PEM of whom the targets' certificates come from
 */
export async function ourTls(authority: string): Promise<Tool> {
  const checks = (await loadRegistry()).family('tls')?.checks ?? [];
  let audit: Audit | undefined;
  return {
    name: 'Scan Audit (TLS family)',
    kinds: ['tls'],
    async prepare({ url, host, dnsServer = '' }) {
      audit = await openAudit(url, { authority, hosts: [host], dnsServer });
    },
    async run(target) {
      if (!audit) throw new Error('there is no audit of it yet');
      try {
        return (await findingsOf(audit, checks)).flatMap((finding) => claimsOf(finding, target));
      } finally {
        await audit.close();
      }
    },
  };
}

/** As in a scan, checks run beside each other and share their handshakes. */
async function findingsOf(audit: Audit, checks: readonly Check[]): Promise<FindingInit[]> {
  const results = await Promise.all(checks.map((each) => check(audit, each)));
  const lost = results.find(({ outcome }) => outcome.kind === 'not-run');
  if (lost) throw new Error(`${lost.outcome.checkId} did not run: ${lost.outcome.reason}`);
  return results.flatMap(({ findings }) => findings);
}

function claimsOf(finding: FindingInit, { kind, url }: Target): Claim[] {
  const { checkId = '', title = '', severity } = finding;
  const { proof } = toJson(FindingSchema, create(FindingSchema, finding)) as { proof?: unknown };
  const named = wordsFor(kind, { checkId, proof, location: { url } });
  const weaknesses = named.length > 0 ? named : [undefined];
  const isInformational = severity === Severity.INFO;
  return weaknesses.map((weakness) => ({ weakness, text: `${checkId}: ${title}`, isInformational }));
}
