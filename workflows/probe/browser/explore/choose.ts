import { actingInLabel, actingInName } from '../../gate/words.ts';
import type { Control } from './agent.ts';
import type { Placed } from './agent-calls.ts';

/**
 * How a control may be used:
 * - `freely`: it shows something; what it asks for passes the write gate
 * - `sends`, `acts`: it sends or saves something, or does something, by what it says of itself: nothing that it asks for leaves the
 *   browser
 */
export type Use = 'freely' | 'sends' | 'acts';

/** What a press may do beyond what a link may. */
const writes =
  /(?:^|[^\p{L}])(?:save|submit|send|subscribe|sign-?up|register|log-?in|sign-?in|order|book|accept|agree|like|follow|upload|create|update|apply|confirm|post|reply|vote|join)(?:[^\p{L}]|$)/iu;

export function useOf({ texts: given, form, label }: Pick<Control, 'texts' | 'form'> & { label?: string }): Use {
  const texts = given.map(ownWords);
  if (texts.some(isCommand) || (label !== undefined && isCommandLabel(label))) return 'acts';
  if (form && (form.hasSecret || form.method !== 'get')) return 'sends';
  return texts.some((text) => writes.test(text)) ? 'sends' : 'freely';
}

/** "Run now": words that only act together. */
function isCommandLabel(label: string): boolean {
  const acting = actingInLabel(label);
  return acting !== undefined && acting.needs === undefined;
}

/** The browser's own call by which a script sends any request, also one that only reads. */
const ofRequest = /\.send\(/g;
const ownWords = (text: string): string => (text.includes('XMLHttpRequest') ? text.replace(ofRequest, '.(') : text);

/** Handlers, classes and identifiers hold commands among other names. */
const isCommand = (text: string): boolean =>
  text.split(/[\s;(){}'",]+/).some((name) => actingInName(name) !== undefined);

/** The next controls of one frame that are used freely; those that are held go to their list. */
export function takeBatch(pending: Placed[], held: Placed[], done: { has(signature: string): boolean }): Placed[] {
  const batch: Placed[] = [];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (done.has(next.signature)) continue;
    if (useOf(next) !== 'freely') {
      held.push(next);
      continue;
    }
    if (batch[0] && batch[0].frame !== next.frame) {
      pending.push(next);
      break;
    }
    batch.push(next);
    if (batch.length === 10) break;
  }
  return batch;
}
