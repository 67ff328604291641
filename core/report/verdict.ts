import { type Html, html } from '../../kit/html.ts';
import type { Omission } from '../../proto/gen/scanaudit/v1/coverage_pb.ts';
import type { Finding } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import { Depth, type Scan, ScanStatus } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { omissionsText } from '../coverage/omissions.ts';
import { severityClass, severityName, worstSeverity } from './severity.ts';
import { clip, count } from './text.ts';

/** The audit looked at everything of its depth. Anything else must never look like a clean result. */
export const isComplete = (scan: Scan): boolean =>
  scan.status === ScanStatus.COMPLETED && scan.coverage?.complete === true;

export const depthName = (depth: Depth): string => (depth === Depth.DEEP ? 'deep' : 'standard');

/** The result in one sentence, and under it what keeps it from being complete. */
export function verdict(scan: Scan, open: readonly Finding[]): Html {
  const worst = worstSeverity(open);
  const tone = worst !== undefined ? severityClass(worst) : isComplete(scan) ? 'clean' : 'incomplete';
  return html`<div class="verdict ${tone}">${icon(tone)}<div><p class="verdict-line">${headline(scan, open)}</p>
<p>${explanation(scan, open)}</p></div></div>
${!isComplete(scan) && incomplete(scan)}${limited(scan)}`;
}

const limitsOf = (scan: Scan): readonly Omission[] => scan.coverage?.limits ?? [];

/** What the depth does not promise never passes for clean, whatever was found. */
function limited(scan: Scan): Html {
  const limits = limitsOf(scan);
  if (limits.length === 0) return html``;
  const lead = isComplete(scan) ? 'The audit is complete, with limits' : 'The audit has limits besides';
  return html`<p class="limits"><strong>${lead}:</strong> ${clip(omissionsText(limits), 2_000)}. <a href="#coverage">All of them</a></p>`;
}

function headline(scan: Scan, open: readonly Finding[]): string {
  const worst = worstSeverity(open);
  if (worst === undefined) {
    if (!isComplete(scan)) return 'No result: the audit is not complete';
    return limitsOf(scan).length === 0
      ? 'No weakness was found'
      : 'No weakness was found, within the limits of this audit';
  }
  const number = open.filter((finding) => finding.severity === worst).length;
  return `${count(open.length, 'verified finding')}, ${number} of them ${severityName(worst).toLowerCase()}`;
}

function explanation(scan: Scan, open: readonly Finding[]): string {
  const chains = open.filter((finding) => finding.chain.length > 0).length;
  if (open.length > 0)
    return `Each was shown by an experiment, twice on fresh connections, with a control that failed.${chains > 0 ? ` ${count(chains, 'attack chain')} ${chains === 1 ? 'reaches its' : 'reach their'} goal.` : ''}`;
  if (isComplete(scan))
    return `What the ${depthName(scan.depth)} depth promises was looked at, or does not apply to this host. That is no proof that no weakness exists.`;
  return 'Nothing was found in what could be looked at, which was not everything.';
}

function incomplete(scan: Scan): Html {
  const gaps = scan.coverage?.gaps ?? [];
  return html`<div class="banner incomplete" role="note" aria-labelledby="incomplete-title"><p class="banner-title" id="incomplete-title">This audit is incomplete</p>
<p>${statusSentence(scan)} Do not read what is missing here as safe.</p>
${gaps.length > 0 && html`<ul>${byReason(gaps)}</ul>`}
<p><a href="#coverage">${gaps.length > 1 ? `All ${gaps.length} gaps, and what was covered` : 'What was covered, and what was not'}</a></p></div>`;
}

const namedSubjects = 4;

/** One line for each reason, with where it applies: fifty lines of the same reason hide the others. */
function byReason(gaps: readonly Omission[]): Html[] {
  return [...Map.groupBy(gaps, ({ code }) => code).values()]
    .toSorted((a, b) => b.length - a.length)
    .map((alike) => {
      const [only, ...others] = alike;
      if (only && others.length === 0)
        return html`<li><strong>${clip(only.subject, 160)}</strong>: ${clip(only.text, 300)}</li>`;
      const subjects = [...new Set(alike.map(({ subject }) => subject))];
      const left = subjects.length - namedSubjects;
      const named = subjects.slice(0, namedSubjects).map((subject) => clip(subject, 80));
      return html`<li>${sentenceCase(omissionsText(alike))} (${named.join(', ')}${left > 0 ? ` and ${left} more` : ''})</li>`;
    });
}

const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function statusSentence({ status, failure, coverage }: Scan): string {
  switch (status) {
    case ScanStatus.FAILED:
      return `The scan failed${failure ? ` (${clip(failure.code, 60)}: ${clip(failure.detail, 300)})` : ''}.`;
    case ScanStatus.CANCELED:
      return 'The scan was canceled before it had looked at everything.';
    case ScanStatus.COMPLETED:
      return coverage === undefined
        ? 'What it looked at was not recorded.'
        : 'The scan ended, but could not look at everything it should have.';
    default:
      return 'The scan has not finished.';
  }
}

const shapes: Record<string, Html> = {
  clean: html`<path d="M12 2l8 3v6c0 5-3.4 9-8 11c-4.6-2-8-6-8-11V5z"/><path d="M8 12l3 3l5-6"/>`,
  incomplete: html`<circle cx="12" cy="12" r="10"/><path d="M12 7v6M12 16.5v.5"/>`,
};
const warning = html`<path d="M12 3l10 18H2z"/><path d="M12 10v5M12 17.5v.5"/>`;

const icon = (tone: string): Html =>
  html`<svg class="icon" viewBox="0 0 24 24" width="40" height="40" aria-hidden="true" focusable="false">${shapes[tone] ?? warning}</svg>`;
