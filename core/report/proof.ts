import { type Html, html } from '../../kit/html.ts';
import type { Assertion, HeaderField, Proof, ProofStep } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import { observed } from './observed.ts';
import { clip, count, time } from './text.ts';

const mostSteps = 30;
const mostHeaders = 60;
const mostAssertions = 40;
const maxBodyCharacters = 4_000;
const maxCommandCharacters = 16_000;

/** What was sent, what came back, what was claimed of it, and the control that shows the claims can fail. */
export function proofDetails(proof: Proof | undefined): Html {
  if (!proof) return html`<p class="note">No proof is stored with this finding.</p>`;
  return html`<p class="note">${proof.trials > 0 && `Shown ${count(proof.trials, 'time')} on fresh connections with new random values. `}Verified at ${time(proof.verifiedAt)}.</p>
${stepList(proof.steps, 'Step')}
${
  proof.control.length > 0 &&
  html`<div class="control"><p class="control-title">Negative control</p>
<p class="note">The same experiment without its cause. It was answered, and the claims of its last step did <strong>not</strong> all hold: so the result above is not how this host answers anyway.</p>
${stepList(proof.control, 'Control step')}</div>`
}
${proof.curl !== '' && reproduction(proof.curl)}`;
}

/** Commands to paste. What only their reader knows is in variables, which are named before. */
function reproduction(commands: string): Html {
  const variables = variablesOf(commands);
  return html`<div class="reproduce"><p class="reproduce-title">Reproduce it in a shell</p>
${
  variables.length > 0 &&
  html`<p class="note">Export ${variables.map((name, index) => html`${index > 0 && ', '}<code>${clip(name, 60)}</code>`)} first.</p>`
}
<pre class="curl"><code>${clip(commands, maxCommandCharacters)}</code></pre></div>`;
}

/** Those that the commands take and do not set themselves. */
function variablesOf(commands: string): string[] {
  const set = new Set([...commands.matchAll(/^(\w+)=/gm)].map(([, name]) => name));
  const taken = [...commands.matchAll(/\$\{(\w+):\?\}/g)].map(([, name = '']) => name);
  return [...new Set(taken)].filter((name) => !set.has(name));
}

function stepList(steps: readonly ProofStep[], name: string): Html {
  const left = steps.length - mostSteps;
  return html`<ol class="steps">${steps.slice(0, mostSteps).map((step, index) => oneStep(step, `${name} ${index + 1}`))}</ol>
${left > 0 && html`<p class="note">${count(left, 'further step')} not shown here; the API has them.</p>`}`;
}

function oneStep(step: ProofStep, name: string): Html {
  return html`<li class="step"><h5><span class="step-name">${name}</span> ${clip(step.note, 600)}</h5>
<div class="exchange"><div class="sent"><p class="pane-title">Sent <span class="who">${step.identity === '' ? 'anonymously' : `as ${clip(step.identity, 60)}`}</span>${
    step.write && html` <span class="write-flag">changes data, undone afterwards</span>`
  }</p><pre><code>${sent(step)}</code></pre></div>
${step.observation && observed(step.observation, step.assertions)}</div>
${step.assertions.length > 0 && claims(step.assertions, step.observation?.values ?? [])}
${step.captures.length > 0 && captures(step)}</li>`;
}

function sent({ action }: ProofStep): Html {
  switch (action.case) {
    case 'http': {
      const { method, url, headers, body } = action.value;
      return html`<strong>${clip(method || 'GET', 40)} ${clip(url, 2_500)}</strong>${headerLines(headers)}${
        body !== '' && html`\n\n${clip(body, maxBodyCharacters)}`
      }`;
    }
    case 'tls': {
      const { host, port, serverName, reference } = action.value;
      if (reference !== '')
        return html`<strong>TLS handshake in memory, with a server of the audit’s own</strong>\nIts certificate for ${clip(serverName, 300) || clip(host, 300)} has no fault.`;
      return html`<strong>TLS handshake with ${clip(host, 300)}, port ${port}</strong>\nServer name: ${clip(serverName, 300) || 'none'}`;
    }
    case 'hello': {
      const { host, port, serverName, ...offer } = action.value;
      const lists = ['versions', 'suites', 'groups', 'signatures', 'compressions'] as const;
      return html`<strong>TLS ClientHello to ${clip(host, 300)}, port ${port}</strong>\nServer name: ${clip(serverName, 300) || 'none'}${lists.map(
        (name) => html`\n${name}: ${clip(offer[name].join(', '), 2_500) || 'none'}`,
      )}`;
    }
    case 'dns': {
      const { name, type, server } = action.value;
      return html`<strong>DNS query ${clip(type, 40)} ${clip(name, 300)}</strong>${
        server !== '' && html`\nto the name server ${clip(server, 300)}`
      }`;
    }
    case 'callback': {
      const { token, waitMs } = action.value;
      return html`<strong>Wait up to ${String(Math.ceil(waitMs / 1_000))} s for a call at the listener</strong>\nwith the word ${clip(token, 300)}`;
    }
    case 'browser': {
      const { url, clicks, page } = action.value;
      return html`<strong>Browser opens ${clip(url, 2_500)}</strong>${clicks.slice(0, 20).map((click) => html`\nclicks ${clip(click, 300)}`)}${page !== '' && html`\nwith this page of the audit’s own:\n\n${clip(page, maxBodyCharacters)}`}`;
    }
    default:
      return html`Not recorded`;
  }
}

const headerLines = (headers: readonly HeaderField[]): Html[] =>
  headers.slice(0, mostHeaders).map(({ name, value }) => html`\n${clip(name, 200)}: ${clip(value, 1_000)}`);

/** Operators in words. Others are shown as they are. */
const operatorWords: Record<string, string> = {
  equals: 'is',
  'not-equals': 'is not',
  contains: 'contains',
  'not-contains': 'does not contain',
  matches: 'matches',
  'not-matches': 'does not match',
  present: 'is present',
  absent: 'is absent',
  before: 'is before',
  after: 'is after',
  'less-than': 'is less than',
  'greater-than': 'is greater than',
  'one-of': 'is one of',
};

function claims(assertions: readonly Assertion[], values: readonly HeaderField[]): Html {
  const observedOf = (subject: string) => values.find((value) => value.name === subject)?.value;
  return html`<table class="claims"><caption>Claims about this answer</caption>
<thead><tr><th scope="col">Claim</th><th scope="col">Observed</th></tr></thead>
<tbody>${assertions.slice(0, mostAssertions).map((claim) => {
    const value = observedOf(claim.subject);
    return html`<tr><td><code>${clip(claim.subject, 200)}</code> ${operatorWords[claim.operator] ?? clip(claim.operator, 40)} ${
      claim.expected !== '' && html`<code>${clip(claim.expected, 600)}</code>`
    }${claim.note !== '' && html`<span class="claim-note">${clip(claim.note, 400)}</span>`}</td>
<td>${value === undefined ? html`<span class="none">see above</span>` : value === '' ? html`<span class="none">nothing</span>` : html`<code>${clip(value, 600)}</code>`}</td></tr>`;
  })}</tbody></table>`;
}

const captures = ({ captures: rules }: ProofStep): Html =>
  html`<p class="note">Taken from this answer for later steps: ${rules
    .slice(0, 20)
    .map(
      (rule, index) =>
        html`${index > 0 && ', '}<code>‹${clip(rule.name, 60)}›</code> from ${clip(rule.subject, 100)}${rule.secret && ' (secret, neither stored nor shown)'}`,
    )}.</p>`;
