import { type Write, WriteState } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { ByteBudget, fitting, shares } from './budget.ts';
import { type Html, html } from './html.ts';
import { section, table } from './section.ts';
import { clip, count } from './text.ts';

/** Changes that were not taken back. A pending one may have been sent. */
export const remaining = (writes: readonly Write[]): Write[] =>
  writes.filter((write) => write.state !== WriteState.UNDONE);

/** Says at the top of the report that something of the audit is left on the target. */
export function writesBanner(writes: readonly Write[]): Html {
  const left = remaining(writes);
  if (left.length === 0) return html``;
  return html`<div class="banner left-behind" role="note" aria-labelledby="left-title"><p class="banner-title" id="left-title">${count(left.length, 'change')} of this audit may still be on the target</p>
<p>Taking ${left.length === 1 ? 'it' : 'them'} back did not hold or was not reached. <a href="#writes">See what to take back by hand</a>.</p></div>`;
}

const stateNames: Record<WriteState, readonly [name: string, className: string]> = {
  [WriteState.UNDONE]: ['taken back', 'done'],
  [WriteState.PENDING]: ['may have been sent, not taken back', 'gap'],
  [WriteState.UNDO_FAILED]: ['taking back failed', 'gap'],
  [WriteState.UNSPECIFIED]: ['unknown', 'gap'],
};

/** Every request that changed the target, with the request that takes it back. */
export function writesSection(writes: readonly Write[]): Html {
  if (writes.length === 0) return html``;
  const left = remaining(writes);
  const ordered = [...left, ...writes.filter((write) => write.state === WriteState.UNDONE)];
  const { shown, left: notShown } = fitting(ordered, new ByteBudget(shares.writesBytes), row);
  return section({
    id: 'writes',
    title: 'Changes to the target',
    lead:
      left.length === 0
        ? 'The audit changed data of its own test identities only, and took each change back.'
        : `${count(left.length, 'change')} could not be shown to be taken back. Send the request under “Undo”, or repair it by hand.`,
    body: html`${table({ caption: 'Requests that changed the target', columns: ['Change', 'State', 'Sent', 'Undo'], rows: shown })}
${notShown > 0 && html`<p class="note cut">${count(notShown, 'further change')} not shown here.</p>`}`,
  });
}

function row({ description, identity, request, undo, state }: Write): Html {
  const [name, className] = stateNames[state] ?? stateNames[WriteState.UNSPECIFIED];
  return html`<tr><th scope="row">${clip(description, 400)} <span class="who">${identity === '' ? 'anonymously' : `as ${clip(identity, 60)}`}</span></th>
<td><span class="status ${className}">${name}</span></td>${[request, undo].map(
    (action) =>
      html`<td>${action && html`<code>${clip(action.method, 20)} ${clip(action.url, 500)}</code>${action.body !== '' && html`<br/><code>${clip(action.body, 500)}</code>`}`}</td>`,
  )}</tr>`;
}
