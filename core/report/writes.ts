import { type Html, html } from '../../kit/html.ts';
import type { HttpAction } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import { type Write, WriteState } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { ByteBudget, fitting, shares } from './budget.ts';
import { section, table } from './section.ts';
import { clip, count } from './text.ts';

/** Changes that were to be taken back and were not. A pending one may have been sent. */
const remaining = (writes: readonly Write[]): Write[] => writes.filter(({ state }) => !endStates.includes(state));

const endStates: readonly WriteState[] = [WriteState.UNDONE, WriteState.LEFT, WriteState.UNCHANGED, WriteState.UNSEEN];

/** Entries that the site shows no way to take back. */
const stored = (writes: readonly Write[]): Write[] => writes.filter(({ state }) => state === WriteState.LEFT);

/** Says at the top of the report that something of the audit is left on the target. */
export function writesBanner(writes: readonly Write[]): Html {
  const [open, kept] = [remaining(writes).length, stored(writes).length];
  if (open + kept === 0) return html``;
  return html`<div class="banner left-behind" role="note" aria-labelledby="left-title"><p class="banner-title" id="left-title">${count(open + kept, 'change')} of this audit may still be on the target</p>
${open > 0 && html`<p>Taking ${open === 1 ? 'one' : open} of them back did not hold or was not reached. <a href="#writes">See what to take back by hand</a>.</p>`}
${kept > 0 && html`<p>${count(kept, 'request')} may have stored an entry that the site shows no way to take back. <a href="#writes">See where</a>.</p>`}</div>`;
}

const stateNames: Record<WriteState, readonly [name: string, className: string]> = {
  [WriteState.UNDONE]: ['taken back', 'done'],
  [WriteState.PENDING]: ['may have been sent, not taken back', 'gap'],
  [WriteState.UNDO_FAILED]: ['taking back failed', 'gap'],
  [WriteState.LEFT]: ['stays', 'gap'],
  [WriteState.UNCHANGED]: ['changed nothing', 'done'],
  [WriteState.UNSEEN]: ['changed nothing that is shown', 'done'],
  [WriteState.UNSPECIFIED]: ['unknown', 'gap'],
};

/** Every request that changed the target, or could have; for those that were not taken back, what to do by hand. */
export function writesSection(writes: readonly Write[]): Html {
  if (writes.length === 0) return html``;
  const [left, kept] = [remaining(writes), stored(writes)];
  const inState = (wanted: WriteState) => writes.filter(({ state }) => state === wanted);
  const budget = new ByteBudget(shares.writesBytes);
  return section({
    id: 'writes',
    title: 'Changes to the target',
    lead: [keptText(kept), leadOn(left, kept, inState(WriteState.UNDONE), inState(WriteState.UNSEEN).length > 0)]
      .filter((text) => text !== '')
      .join(' '),
    body: html`${left.length > 0 && changes('Changes that may still be on the target', left, budget)}${
      kept.length > 0 && changes('Entries that stay on the target', kept, budget, 'Place')
    }${folded('Changes that were taken back', inState(WriteState.UNDONE), budget)}${folded(
      'Requests that could have changed something and did not',
      inState(WriteState.UNCHANGED),
      budget,
      'Looked at',
    )}${folded('Requests that were accepted, and whose change no page showed', inState(WriteState.UNSEEN), budget)}`,
  });
}

function leadOn(left: readonly Write[], kept: readonly Write[], undone: readonly Write[], areUnseen: boolean): string {
  if (left.length > 0)
    return `${count(left.length, 'change')} could not be shown to be taken back. Do by hand what is said beside each of them.`;
  if (undone.length > 0)
    return `The audit changed data of its own test identities only, took each ${kept.length > 0 ? 'other ' : ''}change back, and read afterwards that what was there before is there again.`;
  if (kept.length > 0) return '';
  return areUnseen
    ? 'No page shows that a request of this audit changed anything.'
    : 'No request of this audit changed anything.';
}

const keptText = (kept: readonly Write[]): string =>
  kept.length === 0
    ? ''
    : `${count(kept.length, 'request')} may have stored an entry that the site shows no way to take back: delete it at the place that is named.`;

const folded = (caption: string, writes: readonly Write[], budget: ByteBudget, last?: string): Html =>
  html`${writes.length > 0 && html`<details class="evidence"><summary>${caption} (${writes.length})</summary><div class="evidence-body">${changes(caption, writes, budget, last)}</div></details>`}`;

function changes(caption: string, writes: readonly Write[], budget: ByteBudget, last = 'Taken back by'): Html {
  const { shown, left } = fitting(writes, budget, row);
  return html`${table({ caption, columns: ['Change', 'State', 'Sent', last], rows: shown })}
${left > 0 && html`<p class="note cut">${count(left, 'further change')} not shown here.</p>`}`;
}

function row(write: Write): Html {
  const { description, identity, request, state, undoFailure } = write;
  const [name, className] = stateNames[state] ?? stateNames[WriteState.UNSPECIFIED];
  return html`<tr><th scope="row">${clip(description, 2_200)} <span class="who">${who(identity)}</span></th>
<td><span class="status ${className}">${name}</span>${undoFailure !== '' && html`<br/>${clip(undoFailure, 600)}`}</td>
<td>${requestText(request)}</td><td>${whatFollows(write)}</td></tr>`;
}

function whatFollows(write: Write): Html {
  if (write.place !== '') return html`<code>${clip(write.place, 500)}</code>`;
  return endStates.includes(write.state) ? requestText(write.undo) : byHand(write);
}

const who = (identity: string): string => (identity === '' ? 'anonymously' : `as ${clip(identity, 60)}`);

const requestText = (action: HttpAction | undefined): Html =>
  html`${action && html`<code>${clip(action.method, 20)} ${clip(action.url, 500)}</code>${action.body !== '' && html`<br/><code>${clip(action.body, 500)}</code>`}`}`;

/** What a reader does who has nothing but the report. */
function byHand({ identity, undo, verify, fresh }: Write): Html {
  return html`<ol><li>Send ${who(identity)}: ${requestText(undo)}${
    fresh &&
    html`<br/>${fresh.captures
      .slice(0, maxClaims)
      .map(({ name }) => `‹${clip(name, 60)}›`)
      .join(
        ', ',
      )} ${fresh.captures.length === 1 ? 'stands' : 'stand'} for what the form at <code>${clip(fresh.url, 500)}</code> has in its hidden fields.`
  }</li>${
    verify &&
    html`<li>Look at <code>${clip(verify.url, 500)}</code> ${who(verify.identity)}: ${verify.assertions
      .slice(0, maxClaims)
      .map(
        (claim) => html`<br/><code>${clip(`${claim.subject} ${claim.operator} ${claim.expected}`, 300)}</code>`,
      )}</li>`
  }</ol>`;
}

/** A profile has more fields than anybody compares by hand; the first ones are those that were meant to change. */
const maxClaims = 8;
