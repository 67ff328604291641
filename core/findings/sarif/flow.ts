import type { ChainLink, Location, Proof, ProofStep } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { locationOf } from './location.ts';
import { clipped } from './text.ts';

const maxLinks = 10;
const maxSteps = 6;
const maxStepLength = 240;
const maxCommandLength = 8_000;
/** Longer commands are scripts, which no text between others can show. */
const maxShownLength = 300;

/**
 * A chain as one flow of its links, each with what it gives, its evidence, its control and its command: SARIF 2.1.0 §3.36.
 * @param goal place of the chain, for links that do not say theirs
 */
export function flowOf(chain: readonly ChainLink[], goal: Location | undefined): object {
  const links = chain.slice(0, maxLinks).map((link, index) => {
    const { title, gives, breaksChain, proof, location = goal } = link;
    const fix = breaksChain ? '. Fix this first to break the chain' : '';
    const text = `${index + 1}. ${clipped(title, 300)}: gives ${clipped(gives, 200)}${fix}${seeIt(proof)}`;
    return {
      executionOrder: index + 1,
      importance: breaksChain ? 'essential' : 'important',
      location: locationOf(location, text),
      properties: { gives: clipped(gives, 200), ...(proof && proofProperties(proof)) },
    };
  });
  return { threadFlows: [{ locations: links }] };
}

const seeIt = (proof: Proof | undefined) =>
  proof?.curl && proof.curl.length <= maxShownLength ? `\n\nTo see it: ${proof.curl}` : '';

const proofProperties = ({ steps, control, curl }: Proof) => ({
  evidence: steps.slice(0, maxSteps).map(stepText),
  control: control.slice(0, maxSteps).map(stepText),
  ...(curl !== '' && { command: clipped(curl, maxCommandLength) }),
});

/** For instance "The page opens. Observed: HTTP/1.1 200 OK". */
function stepText({ note, observation }: ProofStep): string {
  const observed = observation?.summary ? `Observed: ${observation.summary}` : '';
  return clipped([note, observed].filter(Boolean).join(' '), maxStepLength);
}
