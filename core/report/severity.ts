import { type Finding, FindingState, Severity } from '../../proto/gen/scanaudit/v1/findings_pb.ts';

/** Worst first. */
export const severities = [
  Severity.CRITICAL,
  Severity.HIGH,
  Severity.MEDIUM,
  Severity.LOW,
  Severity.INFO,
] as const satisfies Severity[];

const names: Record<Severity, string> = {
  [Severity.CRITICAL]: 'Critical',
  [Severity.HIGH]: 'High',
  [Severity.MEDIUM]: 'Medium',
  [Severity.LOW]: 'Low',
  [Severity.INFO]: 'Info',
  [Severity.UNSPECIFIED]: 'Unrated',
};

export const severityName = (severity: Severity): string => names[severity] ?? names[Severity.UNSPECIFIED];

/** Class name of a severity in the stylesheet. */
export const severityClass = (severity: Severity): string => severityName(severity).toLowerCase();

export const isOpen = (finding: Finding): boolean =>
  finding.state !== FindingState.ACCEPTED_RISK && finding.state !== FindingState.FALSE_POSITIVE;

/** The worst severity there is; undefined when there is none of a known one. */
export const worstSeverity = (rated: readonly { severity: Severity }[]): Severity | undefined =>
  severities.find((severity) => rated.some((item) => item.severity === severity));

/** Findings of each severity, worst first. */
export const countBySeverity = (findings: readonly Finding[]) =>
  severities.map((severity) => ({
    severity,
    count: findings.filter((finding) => finding.severity === severity).length,
  }));

/** Worst first; then by score, title and place, so that the same findings always come in the same order. */
export const worstFirst = (a: Finding, b: Finding): number =>
  b.severity - a.severity ||
  (b.cvss?.score ?? 0) - (a.cvss?.score ?? 0) ||
  compare(a.title, b.title) ||
  compare(a.location?.url ?? '', b.location?.url ?? '') ||
  compare(a.fingerprint, b.fingerprint);

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
