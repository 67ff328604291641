import type { FindingBody, Location, ScanBody, Severity } from '../api/schemas.ts';
import { severities } from '../api/schemas.ts';
import type { Style } from '../terminal.ts';

/** For instance "GET https://shop.example/search?q=1, query parameter q". */
export function placeText({ method, url, parameter, parameterIn }: Location): string {
  const where = parameter ? `, ${[parameterIn, 'parameter', parameter].filter(Boolean).join(' ')}` : '';
  return `${method} ${url}${where}`;
}

/** The links of a chain in order of use, for instance "exposure.environment-file → chains.forge-session". */
export const chainText = (chain: FindingBody['chain']): string => chain.map(({ actionId }) => actionId).join(' → ');

/** For instance "1 critical, 2 low", or "none". */
export function countsText(counts: ScanBody['severity']): string {
  const words = severities
    .filter((severity) => counts[severity] > 0)
    .map((severity) => `${counts[severity]} ${severity}`);
  return words.join(', ') || 'none';
}

const styles: Record<Severity, Style> = { critical: 'red', high: 'red', medium: 'yellow', low: 'dim', info: 'dim' };

export const severityStyle = (severity: string): Style =>
  severities.some((known) => known === severity) ? styles[severity as Severity] : 'dim';

/** Why a scan that has ended gave no results, and what to do; undefined for a completed one. */
export function failureText({ status, failure, host }: ScanBody): string | undefined {
  if (status === 'canceled') return 'The scan was canceled: start another one.';
  if (status !== 'failed') return undefined;
  const { code = 'failed', detail = '' } = failure ?? {};
  const advice = failureAdvice[code] ?? 'start another one, and inform your operator when it fails again';
  return `The scan failed (${code}${detail === '' ? '' : `: ${detail}`}): ${advice.replaceAll('‹host›', host)}.`;
}

/** What to do about the failures that the owner of the host can mend. A failed scan costs nothing. */
const failureAdvice: Record<string, string> = {
  unreachable: 'make sure that ‹host› answers requests from outside, then start another one',
  dns_failed: 'make sure that the name ‹host› is in DNS, then start another one',
  forbidden_address: '‹host› has an address that may not be audited: ask your operator',
  ownership_lost: 'prove again that ‹host› is yours, then start another one',
};
