import { toBinary } from '@bufbuild/protobuf';
import { type Finding, FindingSchema } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import { type FindingReader, findingPages } from './findings.ts';

/** Several times what a report shows, of all findings and of one weakness: beyond it, no proof is kept in memory. */
const maxProvenBytes = 16 * 1024 * 1024;
const mostProven = 100;

/** All findings of a scan for its report, worst first. Those beyond its size limit are without their proof. */
export async function reportFindings(read: FindingReader, maxBytes = maxProvenBytes): Promise<Finding[]> {
  const findings: Finding[] = [];
  const proven = new Map<string, number>();
  let left = maxBytes;
  for await (const page of findingPages(read))
    for (const finding of page) {
      const weakness = `${finding.checkId} ${finding.severity} ${finding.title}`;
      const before = proven.get(weakness) ?? 0;
      if (before < mostProven) left -= toBinary(FindingSchema, finding).byteLength;
      const isKept = before < mostProven && left >= 0;
      if (isKept) proven.set(weakness, before + 1);
      findings.push(isKept ? finding : withoutProof(finding));
    }
  return findings;
}

function withoutProof({ proof: _proof, ...finding }: Finding): Finding {
  const chain = finding.chain.map(({ proof: _linkProof, ...link }) => link);
  return { ...finding, chain, locations: finding.locations.slice(0, 1) };
}
