import { type Html, html } from '../../kit/html.ts';
import type { Scan } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { ByteBudget, fitting, shares } from './budget.ts';
import { findingArticle, findingLine } from './finding.ts';
import type { Grouped, ReportGroup } from './groups.ts';
import { section } from './section.ts';
import { severities, severityName } from './severity.ts';
import { count } from './text.ts';
import { isComplete } from './verdict.ts';

/** Lines about what did not fit have a share of their own, so that they always fit. */
const listBytes = 64 * 1024;

/** Chains, weaknesses and what the org has set aside. They share one budget: what stands first goes first. */
export function findingsSections(scan: Scan, grouped: Grouped): Html {
  const budget = new ByteBudget(shares.findingsBytes - 3 * listBytes);
  return html`${grouped.chains.length > 0 && chainsSection(grouped.chains, budget)}
${weaknessesSection(grouped.weaknesses, nothingFound(scan, grouped), budget)}
${grouped.setAside.length > 0 && setAsideSection(grouped.setAside, budget)}`;
}

function nothingFound(scan: Scan, { chains }: Grouped): string {
  if (chains.length > 0) return 'No further weakness than those of the chains.';
  if (isComplete(scan)) return 'No weakness was found.';
  return 'Nothing was found in what could be looked at. See under Coverage what could not.';
}

const chainsSection = (groups: ReportGroup[], budget: ByteBudget): Html =>
  section({
    id: 'chains',
    title: 'Attack chains',
    lead: 'Weaknesses that reach a goal together which none reaches alone. Each chain was replayed from an empty state before it was reported.',
    body: articles(groups, 'C', budget),
  });

function weaknessesSection(groups: ReportGroup[], nothing: string, budget: ByteBudget): Html {
  const summary = severities
    .map((severity) => ({ severity, number: groups.filter((group) => group.severity === severity).length }))
    .filter(({ number }) => number > 0)
    .map(({ severity, number }) => `${number} ${severityName(severity).toLowerCase()}`)
    .join(', ');
  return section({
    id: 'findings',
    title: 'Findings',
    lead:
      groups.length === 0
        ? nothing
        : `${count(groups.length, 'kind')} of weakness, worst first: ${summary}. The same weakness in several places stands once, with evidence for each place.`,
    body: articles(groups, 'F', budget),
  });
}

const setAsideSection = (groups: ReportGroup[], budget: ByteBudget): Html =>
  section({
    id: 'set-aside',
    title: 'Set aside',
    lead: 'Verified by the audit, and marked by the organisation as accepted risk or false positive. Not counted above.',
    body: articles(groups, 'A', budget),
  });

function articles(groups: ReportGroup[], letter: string, budget: ByteBudget): Html {
  const numbered = groups.map((group, index) => ({ group, number: `${letter}${index + 1}` }));
  const rendered: Html[] = [];
  for (const { group, number } of numbered) {
    const article = findingArticle(group, number, budget);
    if (!article) break;
    rendered.push(article);
  }
  const omitted = numbered.slice(rendered.length);
  if (omitted.length === 0) return html`${rendered}`;
  const { shown, left } = fitting(omitted, new ByteBudget(listBytes), ({ group, number }) =>
    findingLine(group, number),
  );
  return html`${rendered}<div class="banner cut"><p><strong>Not all findings fit into this file.</strong> These are named only; the API has them whole:</p><ul>${shown}</ul>
${left > 0 && html`<p>And ${count(left, 'further kind')} of weakness.</p>`}</div>`;
}
