import type { FindingBody, Location, OmissionBody, ScanBody } from '../api/schemas.ts';
import { type Printer, styled, wrap } from '../terminal.ts';
import { chainText, placeText, severityStyle } from './words.ts';

type ListedFinding = {
  title: string;
  severity: string;
  checkId: string;
  fingerprint: string;
  location?: Location | undefined;
};

const maxOmissions = 12;

/** One weakness: how bad, what, where, what to do, and by which name it is known. */
export function printFinding(
  printer: Printer,
  finding: ListedFinding & Partial<Pick<FindingBody, 'remediation' | 'chain'>>,
): void {
  const { title, severity, checkId, fingerprint, location, remediation, chain = [] } = finding;
  const label = styled(severityStyle(severity), severity.toUpperCase().padEnd(8));
  printer.line('  ', label, ' ', styled('bold', title));
  if (location) printer.line('           at   ', placeText(location));
  if (chain.length > 0) printer.line('           by   ', chainText(chain));
  for (const [index, line] of wrap(remediation ?? '', printer.width - 16).entries())
    printer.line(index === 0 ? '           fix  ' : '                ', line);
  printer.line(styled('dim', `           id   ${checkId} ${fingerprint}`));
}

/** What a scan did not look at, with the reasons, and the limits of its depth. */
export function printOmissions(printer: Printer, { coverage }: ScanBody): void {
  printEach(printer, 'not looked at', coverage.gaps);
  printEach(printer, 'limit', coverage.limits);
}

function printEach(printer: Printer, label: string, omissions: readonly OmissionBody[]): void {
  for (const { subject, text } of omissions.slice(0, maxOmissions)) printer.line(`  ${label}: ${subject}: ${text}`);
  const more = omissions.length - maxOmissions;
  if (more > 0) printer.line(`  and ${more} more, which the report names`);
}
