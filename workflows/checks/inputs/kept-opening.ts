import type { Exchange } from '../../model/http.ts';
import type { PageOpening } from './opening.ts';

/** What a page has given, by the names of its captures. */
export type Given = ReadonlyMap<string, string>;

/** What is known of a page by whoever sends requests with what it gives. */
type KnownOpening = { sends: number; servesAgain?: boolean; kept?: { given: Given; uses: number; sinceMs: number } };

const known = new WeakMap<PageOpening, KnownOpening>();

/** A form with few requests is not asked whether it takes the same twice. */
const fewSends = 6;
/** So often, and so long, what was given is used: sites end sessions, and some count. */
const maxUses = 25;
const maxMs = 60_000;

/** Has what a page gives sent more than once, where the site takes it. */
export const letServeAgain = (opening: PageOpening): void => {
  known.set(opening, { sends: 0 });
};

/** Opens a page, or gives what it gave before. */
type OpeningWays = { open(): Promise<Given>; send(given: Given): Promise<Exchange> };

/**
 * Sends a request with what its page gives. Most sites take that as often as it is sent, others once: after some requests one is sent
 * twice with the same. Where both are answered alike, the page is opened no more for a while; what is refused then is sent anew.
 * @throws ProbeError
 */
export async function sendOpened(opening: PageOpening, { open, send }: OpeningWays): Promise<Exchange> {
  const opened = known.get(opening);
  if (!opened) return send(await open());
  opened.sends += 1;
  const { kept } = opened;
  if (kept && kept.uses < maxUses && performance.now() - kept.sinceMs < maxMs) {
    kept.uses += 1;
    const answer = await send(kept.given);
    if (isTaken(answer)) return answer;
    if (opened.kept === kept) delete opened.kept;
  }
  const given = await open();
  const answer = await send(given);
  if (opened.servesAgain === undefined && opened.sends > fewSends && isTaken(answer)) {
    // Others that are under way need not ask as well.
    opened.servesAgain = false;
    const again = await send(given).catch(() => undefined);
    opened.servesAgain = again !== undefined && shownIn(answer) === shownIn(again);
  }
  if (opened.servesAgain && isTaken(answer)) opened.kept = { given, uses: 0, sinceMs: performance.now() };
  return answer;
}

const isTaken = ({ status }: Exchange): boolean => status >= 200 && status < 300;

/** Without numbers, and what is likely to have been made by chance. */
const shownIn = ({ status, text }: Exchange): string => `${status} ${text.replace(/[\w+/=%-]{16,}|\d+/g, '')}`;
