import type { Finding, Severity } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import { isOpen, worstFirst } from './severity.ts';
import { clip } from './text.ts';

const maxTitleCharacters = 300;

/** Findings of one check: the same weakness in several places. */
export type ReportGroup = {
  /** Identifier of its element in the page. */
  anchor: string;
  /** The worst of them, which represents the group. */
  lead: Finding;
  findings: Finding[];
  severity: Severity;
};

export type Grouped = {
  chains: ReportGroup[];
  weaknesses: ReportGroup[];
  /** Accepted risks and false positives: shown, but not counted. */
  setAside: ReportGroup[];
};

/** Worst group first, in each group worst finding first. */
export function groupFindings(findings: readonly Finding[]): Grouped {
  const sorted = findings.toSorted(worstFirst);
  const open = sorted.filter(isOpen);
  return {
    chains: byCheck(
      open.filter((finding) => finding.chain.length > 0),
      'chain',
    ),
    weaknesses: byCheck(
      open.filter((finding) => finding.chain.length === 0),
      'finding',
    ),
    setAside: byCheck(
      sorted.filter((finding) => !isOpen(finding)),
      'set-aside',
    ),
  };
}

/** Findings of a check with different severities are separate groups, so that each stands under its own severity. */
function byCheck(findings: Finding[], prefix: string): ReportGroup[] {
  const groups = Map.groupBy(findings, (finding) =>
    JSON.stringify([
      finding.severity,
      finding.checkId,
      clip(finding.title, maxTitleCharacters),
      finding.chain.map((link) => link.actionId),
    ]),
  );
  return [...groups.values()].flatMap((members, index) => {
    const [lead] = members;
    return lead ? [{ anchor: `${prefix}-${index + 1}`, lead, findings: members, severity: lead.severity }] : [];
  });
}
