import type { GateBody, ScanBody } from '../api/schemas.ts';
import { type Printer, type Style, styled } from '../terminal.ts';
import { printFinding, printOmissions } from './findings-text.ts';
import type { GateResult } from './junit.ts';
import { countsText, failureText } from './words.ts';

const labels: Record<string, [text: string, style: Style]> = {
  pass: ['PASS', 'green'],
  fail: ['FAIL', 'red'],
  pending: ['PENDING', 'yellow'],
  inconclusive: ['INCONCLUSIVE', 'yellow'],
};

/** The verdict, everything that blocks with what to do about it, and where to read on. */
export function printGate(printer: Printer, { scan, gate, findings, baseline }: GateResult): void {
  const [label, style] = labels[gate.verdict] ?? [gate.verdict.toUpperCase(), 'yellow'];
  printer.line(styled(style, label), `  ${gate.reason}`);
  printer.line(
    styled('dim', `  ${scan.depth} scan ${scan.runId} of ${scan.url}; verified findings: ${countsText(scan.severity)}`),
  );
  if (gate.scope === 'new') printer.line(styled('dim', `  compared with ${baselineText(baseline)}`));
  const known = new Map(findings.map((finding) => [finding.fingerprint, finding]));
  for (const blocker of gate.blocking) {
    printer.line();
    printFinding(printer, known.get(blocker.fingerprint) ?? blocker);
  }
  if (gate.blocking.length > 0) printer.line();
  if (scan.status === 'completed') printOmissions(printer, scan);
  for (const { code, reason } of gate.coverage.acceptedGaps)
    printer.line(`  accepted by the gate policy: ${code}: ${reason}`);
  if (scan.entriesLeft > 0) printer.line(styled('yellow', `  ${leftText(scan)}`));
  if (gate.verdict !== 'pass') printer.line(`  ${nextStep(scan, gate)}`);
}

const baselineText = (baseline: ScanBody | undefined): string =>
  baseline ? `${baseline.runId} of ${baseline.host}` : 'the completed scan of this host and depth before it';

const leftText = ({ entriesLeft, runId }: ScanBody): string =>
  `left on the site: ${entriesLeft === 1 ? 'one request' : `${entriesLeft} requests`} may have stored an entry that it shows no way to take back; the report says where (scan-audit report ${runId})`;

function nextStep(scan: GateResult['scan'], { verdict, runId }: GateBody): string {
  if (verdict === 'fail') {
    if (scan.status !== 'completed') return 'Fix these, then scan again.';
    return `Fix these, then scan again. The proof of each is in the report: scan-audit report ${runId}`;
  }
  return failureText(scan) ?? 'Mend what kept the scan from looking, then scan again.';
}
