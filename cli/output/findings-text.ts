import type { Finding, Location, Scan } from '../api/schemas.ts';
import { type Printer, styled, wrap } from '../terminal.ts';
import { chainText, notLookedAt, placeText, severityStyle } from './words.ts';

type Shown = { title: string; severity: string; checkId: string; fingerprint: string; location?: Location | undefined };

const maxNotLookedAt = 12;

/** One weakness: how bad, what, where, what to do, and by which name it is known. */
export function printFinding(printer: Printer, finding: Shown & Partial<Pick<Finding, 'remediation' | 'chain'>>): void {
  const { title, severity, checkId, fingerprint, location, remediation, chain = [] } = finding;
  const label = styled(severityStyle(severity), severity.toUpperCase().padEnd(8));
  printer.line('  ', label, ' ', styled('bold', title));
  if (location) printer.line('           at   ', placeText(location));
  if (chain.length > 0) printer.line('           by   ', chainText(chain));
  for (const [index, line] of wrap(remediation ?? '', printer.width - 16).entries())
    printer.line(index === 0 ? '           fix  ' : '                ', line);
  printer.line(styled('dim', `           id   ${checkId} ${fingerprint}`));
}

/** What a scan did not look at, with the reasons. */
export function printNotLookedAt(printer: Printer, scan: Scan): void {
  const missing = notLookedAt(scan);
  for (const { subject, reason } of missing.slice(0, maxNotLookedAt))
    printer.line(`  not looked at: ${subject}: ${reason}`);
  const more = missing.length - maxNotLookedAt;
  if (more > 0) printer.line(`  and ${more} more, which the report names`);
}
