import { type Html, html } from '../../kit/html.ts';
import type { ChainLink } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import { locationLine } from './location.ts';
import { proofDetails } from './proof.ts';
import { clip, count, givenText, prose } from './text.ts';

const mostLinks = 12;

/** Each link of a chain in order of use: what it gives, where, its evidence with control and command, and its remedy. */
export function linkProofs(chain: readonly ChainLink[]): Html {
  const left = chain.length - mostLinks;
  return html`<p class="note">The chain was replayed link by link, each on nothing but what the ones before it gave.</p>
${chain.slice(0, mostLinks).map(linkProof)}
${left > 0 && html`<p class="note">${count(left, 'further link')} in the API.</p>`}`;
}

const linkProof = (link: ChainLink, index: number): Html =>
  html`<details class="evidence"><summary>${index + 1}. ${clip(link.title, 300)}: gives ${clip(givenText(link.gives), 200)}</summary><div class="evidence-body">
<p>${locationLine(link.location)}</p>
${proofDetails(link.proof)}
${link.remediation !== '' && html`<p class="control-title">${link.breaksChain ? 'Fix this first: it breaks the chain' : 'This breaks the chain, too'}</p><div class="prose">${prose(link.remediation)}</div>`}</div></details>`;
