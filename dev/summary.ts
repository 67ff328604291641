import type { RestFinding, RestGate } from './rest.ts';

const maxTitle = 62;
const maxOmissions = 12;

const isChain = ({ chain }: RestFinding): boolean => chain.length > 0;

/** A table of findings, worst first: severity, title, place. Its last line counts them; chains have a table of their own. */
export function findingsTable(findings: readonly RestFinding[]): string {
  const single = findings.filter((finding) => !isChain(finding));
  if (single.length === 0) return 'No verified findings.';
  const rows = single.map(({ severity, title, location }) => [severity, shorten(title, maxTitle), placeOf(location)]);
  return [...tableOf([['SEVERITY', 'FINDING', 'PLACE'], ...rows]), countOf(single.length, 'finding')].join('\n');
}

/** A table of chains, worst first: what each reaches, over which links, and the link to fix first. Its last line counts them. */
export function chainsTable(findings: readonly RestFinding[]): string {
  const chains = findings.filter(isChain);
  const rows = chains.map(({ severity, chain }) => [
    severity,
    chain.at(-1)?.gives ?? '',
    chain.map(({ actionId }) => actionId).join(' → '),
    chain.find(({ breaksChain }) => breaksChain)?.actionId ?? '',
  ]);
  const table = rows.length === 0 ? [] : tableOf([['SEVERITY', 'GOAL', 'CHAIN', 'FIX FIRST'], ...rows]);
  return [...table, countOf(chains.length, 'chain')].join('\n');
}

const countOf = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`;

/** Rows under headings, each column as wide as its widest cell. */
function tableOf(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function placeOf({ method, url, parameter }: RestFinding['location']): string {
  const parsed = URL.parse(url);
  const isPage = parsed && parsed.protocol !== 'dns:' && parsed.pathname !== '/';
  const path = isPage ? parsed.pathname : url;
  return `${method} ${path}${parameter ? ` [${parameter}]` : ''}`;
}

function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** The gate's verdict with its reason, what was not looked at, and the limits of the audit. */
export function gateText({ verdict, threshold, reason, coverage }: RestGate): string {
  return [
    `Gate (threshold ${threshold}): ${verdict.toUpperCase()}. ${reason}`,
    ...listOf('Coverage is not complete. Not looked at:', coverage.gaps),
    ...listOf(`Coverage is ${coverage.complete ? 'complete, with limits' : 'limited besides'}:`, coverage.limits),
  ].join('\n');
}

function listOf(title: string, omissions: RestGate['coverage']['gaps']): string[] {
  if (omissions.length === 0) return [];
  const shown = omissions.slice(0, maxOmissions).map(({ subject, text }) => `  ${subject}: ${text}`);
  const more = omissions.length - maxOmissions;
  return [title, ...shown, ...(more > 0 ? [`  and ${more} more, in the report`] : [])];
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

/** Commands that give a shell what the commands of findings ask for: variables of the demo, whose values need no quotes. */
export const exportLines = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `export ${name}=${value}`)
    .join('\n');
