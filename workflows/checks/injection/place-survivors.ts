import { type Reflection, reflectionsOf } from '../dom/reflection.ts';
import { type Survivors, survivorsIn } from './survivors.ts';

type SignsOfPlaces = { begin: string; end: string };

/** Places of one page at which a value is told apart. */
const maxPlaces = 8;
/** What stands in front of the signs came back as a tag. */
const tagInFront = /<b [^<>]*>$/;

/**
 * What came back at each kind of place by itself: a page may encode a value in its text, and not in its script.
 * @param texts pages that show the signs
 * @returns whether a payload for such a place needs only signs that came back there; undefined where none was seen
 */
export function survivorsByPlace(
  texts: readonly string[],
  { begin, end }: SignsOfPlaces,
): (place: Reflection) => Survivors | undefined {
  const found = new Map<string, Survivors[]>();
  const other = 'x'.repeat(begin.length);
  for (const text of texts) {
    const parts = text.split(begin);
    for (const [index, part] of parts.slice(1, 1 + maxPlaces).entries()) {
      // The word stands at this one place of the page alone.
      const alone = parts.slice(0, index + 1).join(other) + begin + parts.slice(index + 1).join(other);
      for (const place of reflectionsOf(alone, begin)) {
        const sent = { begin, end, reflections: [place], hasTags: tagInFront.test(parts[index] ?? '') };
        const key = JSON.stringify(place);
        found.set(key, [...(found.get(key) ?? []), survivorsIn(begin + part, sent)]);
      }
    }
  }
  return (place) => {
    const ofPlace = found.get(JSON.stringify(place));
    return ofPlace && ((value) => ofPlace.some((survives) => survives(value)));
  };
}
