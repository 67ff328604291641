import type { Finding, Gate } from './rest.ts';

const maxTitle = 62;
const maxNotCovered = 12;

/** A table of findings, worst first: severity, title, place. */
export function findingsTable(findings: Finding[]): string {
  if (findings.length === 0) return 'No verified findings.';
  const rows = findings.map(({ severity, title, chain, location }) => [
    severity,
    titleOf(title, chain?.length ?? 0),
    placeOf(location),
  ]);
  const table = [['SEVERITY', 'FINDING', 'PLACE'], ...rows];
  const width = (column: number) => Math.max(...table.map((row) => row[column]?.length ?? 0));
  const widths = [width(0), width(1)];
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function placeOf({ method, url, parameter }: Finding['location']): string {
  const parsed = URL.parse(url);
  const path = parsed && parsed.pathname !== '/' ? parsed.pathname : url;
  return `${method} ${path}${parameter ? ` [${parameter}]` : ''}`;
}

function titleOf(title: string, links: number): string {
  const suffix = links > 0 ? ` (chain of ${links})` : '';
  return shorten(title, maxTitle - suffix.length) + suffix;
}

function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** The gate's verdict with its reason, and what was not looked at. */
export function gateText({ verdict, threshold, reason, coverage }: Gate): string {
  const lines = [`Gate (threshold ${threshold}): ${verdict.toUpperCase()}. ${reason}`];
  if (!coverage.complete) lines.push('Coverage is not complete. Not looked at:');
  for (const { subject, reason: why } of coverage.notCovered.slice(0, maxNotCovered))
    lines.push(`  ${subject}: ${why}`);
  const more = coverage.notCovered.length - maxNotCovered;
  if (more > 0) lines.push(`  and ${more} more, in the report`);
  return lines.join('\n');
}

/** Commands for a shell that ask the API for the same, and for more. */
export function curlLines(options: { gatewayUrl: string; apiKey: string; runId: string; targetUrl: string }): string {
  const { gatewayUrl, apiKey, runId, targetUrl } = options;
  const scan = `${gatewayUrl}/api/v1/scans/${runId}`;
  const get = 'curl -sS -H "authorization: Bearer $KEY"';
  return [
    `KEY=${apiKey}`,
    `${get} ${scan}`,
    `${get} '${scan}/findings?minSeverity=high'`,
    `${get} '${scan}/gate?threshold=critical'`,
    `${get} ${scan}/report -o report.html`,
    `${get} ${gatewayUrl}/api/v1/scans -H 'content-type: application/json' -d '{"url":"${targetUrl}","depth":"deep"}'`,
  ].join('\n');
}
