import { type Html, html } from '../../kit/html.ts';
import { externalLink } from './links.ts';
import { section } from './section.ts';

/** How the audit works and how to read its results. */
export const methodologySection = (): Html =>
  section({
    id: 'methodology',
    title: 'How this audit works',
    body: html`<div class="prose">
<p><strong>Only what was proven is a finding.</strong> A check first looks for places where a weakness may be. For each it then runs an experiment: requests with a claim on each answer. The claims have to hold twice, on fresh connections and with new random values. The same experiment without its cause, the negative control, has to fail. A place for which any of this does not come out is no finding.</p>
<p><strong>Each check is documented</strong> by its id, for instance <code>headers.hsts-missing</code>, in <code>docs/checks.md</code> of Scan Audit: what it sends, and what has to be seen for a finding.</p>
<p><strong>What could not be looked at is said.</strong> A check ends with found, nothing there, does not apply, or could not look. What the depth promises and was left out is a gap; what it does not promise, for instance forms that would write, is a limit. Both stand under <a href="#coverage">Coverage</a>, with their numbers.</p>
<p><strong>Names in angle marks</strong>, such as <code>‹nonce›</code>, stand for a random value of a trial or for a value that an earlier step took from an answer. Marked text in an answer is what decided. Characters that cannot be seen are written as their code, for instance <code>⟨U+200B⟩</code>.</p>
<p><strong>Secrets are masked.</strong> Credentials, cookies, tokens and personal data were masked before the evidence was stored.</p>
<p><strong>The audit is made to do no harm.</strong> It does not delete, pay or send mail, and it does not leave the host. Requests that change data are part of deep audits only, use test identities of the organisation, and are recorded before they are sent and taken back at the end. What the host makes by itself for whoever only reads, for instance sessions, empty baskets, counters and lines of a log, is not recorded.</p>
<p><strong>Severity</strong> is computed from the CVSS vector of each finding: critical from 9.0, high from 7.0, medium from 4.0, low above 0, info at 0 (${externalLink('https://www.first.org/cvss/v3.1/specification-document', 'CVSS specification')}). It does not know what the host is worth to you.</p>
<p><strong>Limits.</strong> An audit from outside sees what the host shows to the identities that it was given, at the time of the audit. No findings is not the same as no weaknesses.</p>
</div>`,
  });
