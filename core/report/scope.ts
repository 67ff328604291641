import { type Html, html } from '../../kit/html.ts';
import type { Finding } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import { type Scan, ScanStatus } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import type { ReportInput } from './input.ts';
import { facts, section } from './section.ts';
import { clip, duration, time } from './text.ts';
import { depthName } from './verdict.ts';

const methodNames: Record<string, string> = {
  'dns-txt': 'TXT record in the DNS of the domain',
  'http-file': 'file on the host',
  'meta-tag': 'meta element in the root page',
  operator: 'proof seen by the operator of this service',
};

const statusNames: Record<ScanStatus, string> = {
  [ScanStatus.UNSPECIFIED]: 'unknown',
  [ScanStatus.QUEUED]: 'queued',
  [ScanStatus.RUNNING]: 'running',
  [ScanStatus.COMPLETED]: 'completed',
  [ScanStatus.FAILED]: 'failed',
  [ScanStatus.CANCELED]: 'canceled',
};

/** What was audited, on whose behalf and by what right, and when. */
export function scopeSection({ scan, run, now }: ReportInput): Html {
  const ownership = methodNames[run.ownershipMethod] ?? clip(run.ownershipMethod, 60);
  return section({
    id: 'scope',
    title: 'Scope and authorisation',
    lead: 'The host is the scope: other hosts are never sent a probe. The right to audit it comes from the domain that covers it.',
    body: facts([
      ['On behalf of', clip(run.orgName, 200)],
      ['Domain', clip(run.domain, 300)],
      ['Ownership shown by', ownership === '' ? 'not recorded' : ownership],
      ['Ownership verified', time(run.ownershipVerifiedAt)],
      ['Host', clip(scan.host, 300)],
      ['Started from', html`<code class="url">${clip(scan.url, 2_100)}</code>`],
      ['Depth', depthName(scan.depth)],
      ['Status', statusNames[scan.status] ?? 'unknown'],
      ['Requests sent', scan.requests.toLocaleString('en')],
      ['Ordered', time(scan.createdAt)],
      ['Started', time(scan.startedAt)],
      ['Finished', time(scan.finishedAt)],
      ['Duration', duration(scan.startedAt, scan.finishedAt)],
      ['Scan', html`<span class="id">${clip(scan.runId, 64)}</span>`],
      ['Report written', time(now)],
    ]),
  });
}

/** The facts that a reader asks first. */
export function keyFacts(scan: Scan, open: readonly Finding[]): Html {
  const checks = scan.coverage?.families.reduce((sum, family) => sum + family.checks, 0) ?? 0;
  const routes = new Set(open.map((finding) => finding.location?.url ?? ''));
  return facts([
    ['Checks run', checks.toLocaleString('en')],
    ['Requests sent', scan.requests.toLocaleString('en')],
    ['Duration', duration(scan.startedAt, scan.finishedAt) ?? 'not finished'],
    ['Places affected', routes.size.toLocaleString('en')],
  ]);
}
