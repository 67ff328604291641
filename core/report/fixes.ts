import { type Html, html } from '../../kit/html.ts';
import { type ChainLink, Severity } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import type { Grouped, ReportGroup } from './groups.ts';
import { section } from './section.ts';
import { severityClass, severityName, worstSeverity } from './severity.ts';
import { clip, count, firstSentence, shorten, withCode } from './text.ts';

const mostFixes = 5;
const mostChains = 5;

/** One repair, and all that it ends. */
type Fix = {
  title: string;
  remedy: string;
  /** Element with the details. */
  anchor: string;
  urgency: Severity;
  /** Findings that are gone with it, chains apart. */
  ends: number;
  breaks: ReportGroup[];
};

/** What to repair first: what breaks a chain is as urgent as the chain. Undefined when nothing needs it. */
export function topFixes(grouped: Grouped): Html | undefined {
  const fixes = rankFixes(grouped)
    .filter((fix) => fix.urgency > Severity.INFO)
    .slice(0, mostFixes);
  if (fixes.length === 0) return undefined;
  const numberOf = (chain: ReportGroup) => `C${grouped.chains.indexOf(chain) + 1}`;
  return section({
    id: 'fixes',
    title: 'What to fix first',
    body: html`<ol class="fixes">${fixes.map(
      ({
        title,
        remedy,
        anchor,
        urgency,
        ends,
        breaks,
      }) => html`<li><div class="fix-head"><span class="badge ${severityClass(urgency)}">${severityName(urgency)}</span>
<a href="#${anchor}">${clip(title, 200)}</a></div>
<p>${withCode(shorten(firstSentence(remedy), 320))}</p>
<p class="note">${ends > 0 && `Ends ${count(ends, 'finding')}. `}${breaks.length > 0 && broken(breaks, numberOf)}</p></li>`,
    )}</ol>`,
  });
}

function broken(chains: readonly ReportGroup[], numberOf: (chain: ReportGroup) => string): Html {
  const left = chains.length - mostChains;
  return html`Breaks ${chains.length === 1 ? 'the chain' : `${count(chains.length, 'chain')}:`} ${chains
    .slice(0, mostChains)
    .map(
      (chain, index) =>
        html`${index > 0 && ', '}<a href="#${chain.anchor}">${numberOf(chain)}</a>${chains.length === 1 && ` “${shorten(chain.lead.title, 160)}”`}`,
    )}${left > 0 && ` and ${left} more`}.`;
}

/** All repairs, the most urgent first, of these the one that breaks the most chains. */
function rankFixes({ chains, weaknesses }: Grouped): Fix[] {
  const owner = new Map(weaknesses.flatMap((group) => group.findings.map(({ fingerprint }) => [fingerprint, group])));
  const ownerOf = (chain: ReportGroup) => owner.get(breakOf(chain)?.fingerprint ?? '');
  const byOwner = Map.groupBy(chains, ownerOf);
  const fixes = weaknesses.map((group): Fix => {
    const breaks = byOwner.get(group) ?? [];
    const { title, remediation } = group.lead;
    const urgency = worstSeverity([group, ...breaks]) ?? group.severity;
    return { title, remedy: remediation, anchor: group.anchor, urgency, ends: group.findings.length, breaks };
  });
  // Steps of chains have no finding of their own; one repair of such a step breaks all chains that take it.
  const steps = Map.groupBy(byOwner.get(undefined) ?? [], (chain) => breakOf(chain)?.actionId ?? chain.anchor);
  const others = [...steps.values()].flatMap(([first, ...more]) => (first ? [stepFix(first, [first, ...more])] : []));
  return [...others, ...fixes].toSorted((a, b) => b.urgency - a.urgency || b.breaks.length - a.breaks.length);
}

function stepFix(first: ReportGroup, breaks: ReportGroup[]): Fix {
  const link = breakOf(first);
  return {
    title: link?.title ?? first.lead.title,
    remedy: link?.remediation || first.lead.remediation,
    anchor: first.anchor,
    urgency: worstSeverity(breaks) ?? first.severity,
    ends: 0,
    breaks,
  };
}

const breakOf = ({ lead }: ReportGroup): ChainLink | undefined => lead.chain.find(({ breaksChain }) => breaksChain);
