import { Severity } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import type { Group, Grouped } from './groups.ts';
import { type Html, html } from './html.ts';
import { section } from './section.ts';
import { severityClass, severityName, worstSeverity } from './severity.ts';
import { clip, count, firstSentence, withCode } from './text.ts';

const mostFixes = 5;

type Fix = { group: Group; urgency: Severity; breaks: Group[] };

/** What to repair first: a link that breaks a chain is as urgent as the chain. Undefined when nothing needs it. */
export function topFixes(grouped: Grouped): Html | undefined {
  const fixes = rankFixes(grouped)
    .filter((fix) => fix.urgency > Severity.INFO)
    .slice(0, mostFixes);
  if (fixes.length === 0) return undefined;
  return section({
    id: 'fixes',
    title: 'What to fix first',
    body: html`<ol class="fixes">${fixes.map(
      ({
        group,
        urgency,
        breaks,
      }) => html`<li><div class="fix-head"><span class="badge ${severityClass(urgency)}">${severityName(urgency)}</span>
<a href="#${group.anchor}">${clip(group.lead.title, 200)}</a></div>
<p>${withCode(clip(firstSentence(group.lead.remediation), 400))}</p>
<p class="note">${ends(group, breaks)}</p></li>`,
    )}</ol>`,
  });
}

function ends(group: Group, breaks: readonly Group[]): string {
  const own = `Ends ${count(group.findings.length, 'finding')}`;
  if (breaks.length === 0) return `${own}.`;
  return `${own} and breaks ${breaks.length === 1 ? 'the chain' : 'the chains'} ${breaks.map((chain) => `“${clip(chain.lead.title, 120)}”`).join(', ')}.`;
}

export function rankFixes({ chains, weaknesses }: Grouped): Fix[] {
  const broken = new Set<Group>();
  const fixes = weaknesses.map((group) => {
    const fingerprints = new Set(group.findings.map((finding) => finding.fingerprint));
    const breaks = chains.filter((chain) =>
      chain.findings.some((finding) =>
        finding.chain.some((link) => link.breaksChain && fingerprints.has(link.fingerprint ?? '')),
      ),
    );
    for (const chain of breaks) broken.add(chain);
    return { group, urgency: worstSeverity([group, ...breaks]) ?? group.severity, breaks };
  });
  const others = chains
    .filter((chain) => !broken.has(chain))
    .map((group) => ({ group, urgency: group.severity, breaks: [] }));
  return [...others, ...fixes].toSorted((a, b) => b.urgency - a.urgency || b.breaks.length - a.breaks.length);
}
