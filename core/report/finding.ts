import { type Html, html, type Part } from '../../kit/html.ts';
import { BaselineState, type Finding, FindingState } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import type { ByteBudget } from './budget.ts';
import { chainPicture } from './chain-picture.ts';
import type { ReportGroup } from './groups.ts';
import { linkProofs } from './link-proofs.ts';
import { cvssLink, cweLink, reference } from './links.ts';
import { locationLine } from './location.ts';
import { proofDetails } from './proof.ts';
import { severityClass, severityName } from './severity.ts';
import { clip, count, givenText, prose, withCode } from './text.ts';

/** Places of one weakness that are shown with their whole evidence, and those that are shown as a line. */
const mostProven = 20;
const mostListed = 200;
const mostLocations = 20;

/** One weakness with all its places; undefined when not even its description fits. */
export function findingArticle(group: ReportGroup, number: string, budget: ByteBudget): Html | undefined {
  const head = heading(group, number);
  if (!budget.take(head)) return undefined;
  return html`<article class="finding ${severityClass(group.severity)}" id="${group.anchor}" aria-labelledby="${group.anchor}-title">
${head}${evidence(group, budget)}</article>`;
}

function heading({ lead, anchor, findings, severity }: ReportGroup, number: string): Html {
  return html`<header><p class="tags"><span class="badge ${severityClass(severity)}">${severityName(severity)}</span>${tags(
    lead,
    findings.length,
  ).map((tag) => html`<span class="tag">${tag}</span>`)}</p>
<h3 id="${anchor}-title"><span class="number">${number}</span> ${clip(lead.title, 300)}</h3></header>
<div class="prose">${prose(lead.description)}</div>
${lead.chain.length > 0 && chain(lead, anchor)}
<h4>Impact</h4><div class="prose">${prose(lead.impact)}</div>
<h4>Remedy</h4><div class="prose remedy">${prose(lead.remediation)}</div>
${ratings(lead)}`;
}

function tags(finding: Finding, places: number): Part[] {
  return [
    finding.cvss && `CVSS ${finding.cvss.score.toFixed(1)}`,
    finding.cwe > 0 && `CWE-${finding.cwe}`,
    finding.owasp !== '' && `OWASP ${clip(finding.owasp, 40)}`,
    places > 1 && count(places, 'place'),
    finding.baselineState === BaselineState.NEW && 'new',
    finding.state === FindingState.ACCEPTED_RISK && 'accepted risk',
    finding.state === FindingState.FALSE_POSITIVE && 'false positive',
  ].filter((tag) => tag !== undefined && tag !== false);
}

const mostLinks = 12;

function chain(finding: Finding, anchor: string): Html {
  const left = finding.chain.length - mostLinks;
  return html`<div class="chain-layout">${chainPicture(finding.chain, anchor)}
<ol class="chain-steps">${finding.chain
    .slice(0, mostLinks)
    .map(
      (link) =>
        html`<li><strong>${clip(link.title, 300)}</strong><span class="gives">gives ${clip(givenText(link.gives), 200)}</span>${
          link.breaksChain && html`<span class="fix-flag">Fix this to break the chain</span>`
        }<span class="id">${clip(link.actionId, 120)}</span></li>`,
    )}</ol>${left > 0 && html`<p class="note">${count(left, 'further step')} in the API.</p>`}</div>`;
}

function ratings(finding: Finding): Html {
  const { cvss, references } = finding;
  return html`<h4>Classification and references</h4><ul class="references">
${cvss && html`<li>CVSS ${clip(cvss.version, 10)}, score ${cvss.score.toFixed(1)}: <span class="id">${cvssLink(cvss.version, clip(cvss.vector, 200))}</span></li>`}
${finding.cwe > 0 && html`<li>${cweLink(finding.cwe)}</li>`}
${finding.owasp !== '' && html`<li>OWASP Top 10 ${clip(finding.owasp, 40)}</li>`}
${references
  .filter((text) => !text.startsWith(`CWE-${finding.cwe}:`))
  .slice(0, 20)
  .map((text) => html`<li>${reference(clip(text, 500))}</li>`)}
<li>Check <span class="id">${clip(finding.checkId, 120)}</span></li></ul>`;
}

/** Evidence of each place while the byte budget allows it, then one line each, then a number. */
function evidence(group: ReportGroup, budget: ByteBudget): Html {
  const shown: Html[] = [];
  const listed: Html[] = [];
  let hasBudget = true;
  for (const finding of group.findings) {
    // Of a very large run, not all findings come with their proof.
    const isShown = hasBudget && finding.proof !== undefined && shown.length < mostProven;
    const whole = isShown ? place(finding, group.lead) : undefined;
    if (whole && budget.take(whole)) {
      shown.push(whole);
      continue;
    }
    if (whole) hasBudget = false;
    if (listed.length >= mostListed) break;
    const line = html`<li>${locationLine(finding.location)} <span class="id">${clip(finding.fingerprint, 64)}</span></li>`;
    if (!budget.take(line)) break;
    listed.push(line);
  }
  const left = group.findings.length - shown.length - listed.length;
  return html`<h4>Evidence</h4>${shown}
${listed.length > 0 && html`<p class="note">To keep this file small, these places are listed without their proof, which the API has:</p><ul class="places">${listed}</ul>`}
${left > 0 && html`<p class="note cut">${count(left, 'further place')} of this weakness ${left === 1 ? 'is' : 'are'} not listed in this file; the API has ${left === 1 ? 'it' : 'them'}.</p>`}`;
}

function place(finding: Finding, lead: Finding): Html {
  if (finding.chain.some(({ proof }) => proof)) return html`${linkProofs(finding.chain)}${identity(finding)}`;
  const others = finding.locations.slice(1);
  return html`<details class="evidence"><summary>${locationLine(finding.location)}</summary><div class="evidence-body">
${finding.description !== lead.description && html`<div class="prose">${prose(finding.description)}</div>`}
${others.length > 0 && html`<p class="note">Also at:</p><ul class="places">${others.slice(0, mostLocations).map((other) => html`<li>${locationLine(other)}</li>`)}</ul>`}
${others.length > mostLocations && html`<p class="note">and at ${count(others.length - mostLocations, 'further place')}.</p>`}
${proofDetails(finding.proof)}
${identity(finding)}</div></details>`;
}

const identity = ({ fingerprint, firstSeenRunId }: Finding): Html =>
  html`<p class="identity">Fingerprint <span class="id">${clip(fingerprint, 64)}</span>${
    firstSeenRunId !== '' && html` · first seen in scan <span class="id">${clip(firstSeenRunId, 64)}</span>`
  }</p>`;

/** A weakness as one line, when the byte budget allows no more. */
export const findingLine = (group: ReportGroup, number: string): Html =>
  html`<li id="${group.anchor}"><span class="badge ${severityClass(group.severity)}">${severityName(group.severity)}</span> ${number} ${withCode(clip(group.lead.title, 200))}: ${count(group.findings.length, 'place')}</li>`;
