import type { OmissionWord, Omitted } from '../model/omission.ts';
import { isSocketUrl } from '../model/socket-messages.ts';
import type { Surface } from '../model/surface.ts';
import type { Gate } from '../probe/gate/gate.ts';
import { placeOf } from '../probe/gate/place.ts';
import { omittedAs, wordOf } from '../survey/left-out.ts';
import { askedOnce } from './asked-gate.ts';
import { refusedIn } from './refused-places.ts';

/**
 * What the gate refused when it was about to be sent: by checks, by pages in the browser, by whatever an activity does. Each place
 * counts once, and none that is reported already.
 * @param surfaces whose refused places the survey and the observation of forms report
 * @returns what there is so far; `reported` is what checks report themselves
 */
export function refusalReporter(
  gate: Pick<Gate, 'decide' | 'refusals'>,
  surfaces: readonly Surface[],
): (reported?: readonly Omitted[]) => Omitted[] {
  let seen: ReadonlySet<string> | undefined;
  return (reported = []) => {
    const refusals = gate.refusals();
    if (refusals.length === 0) return [];
    const asked = askedOnce(gate);
    seen ??= new Set(surfaces.flatMap((surface) => reportedPlaces(surface, asked)));
    const known = new Set([...seen, ...reported.flatMap(({ places = [] }) => places)]);
    const words = new Map<OmissionWord, string[]>();
    for (const { code, places } of refusals) {
      const word = wordOf(code);
      const unreported = places.filter((place) => !known.has(place));
      if (word !== undefined && unreported.length > 0) words.set(word, [...(words.get(word) ?? []), ...unreported]);
    }
    return [...words].map(([word, places]) => ({ ...omittedAs(word, places.length, places[0] ?? ''), places }));
  };
}

const reportedPlaces = (surface: Surface, gate: Pick<Gate, 'decide'>): string[] => [
  ...[...refusedIn(surface, gate).keys()].flatMap((place) => [place, place.replace(/#.*$/s, '')]),
  // What goes over a connection is counted by its messages.
  ...surface.inputs.flatMap(({ url }) => (isSocketUrl(url) ? placeOf('GET', url) : [])),
  ...surface.skipped.flatMap(({ url }) => (URL.canParse(url) ? placeOf('GET', url) : [])),
];
