import type { Exchange } from '../../model/http.ts';
import type { OmissionReporter } from '../inputs/at-most.ts';
import { isMost, mostPersonalFirst, textsOf, textsShown } from '../sessions/private-text.ts';

/**
 * What is shown at an address, compared between those whom the site leads there, one reader whom it does not, and everything that
 * this reader is meant to see. What is private is said in this one way for every check of access.
 */
type ObjectComparison = {
  /** Two answers to somebody who is led there: what changes with each load is no text of the object. */
  shown: readonly [Exchange, Exchange];
  reader: Exchange;
  /** Answers to the same without a login, and what the reader is meant to see elsewhere: no text of these is private. */
  open: readonly Exchange[];
  /** A page of whoever is led there: what it shows, too, is of the site or of that person, and not of the object. */
  frame?: Exchange | undefined;
  /** What names the object in its address: a text that repeats it says nothing that was not asked with it. */
  identifier?: string;
};

/**
 * Private texts that the reader is shown: `ofObject` those of the object itself, `all` with what is of the person whom it belongs to.
 * Both are empty when the reader is shown less than most of the object, as who is refused sees its heading. The most personal first.
 */
export function privateTextsIn(
  context: OmissionReporter,
  { shown, reader, open, frame, identifier }: ObjectComparison,
): { all: string[]; ofObject: string[] } {
  const [first, again] = shown;
  const refused = { all: [], ofObject: [] };
  if ([first, again, reader].some(({ status }) => status !== 200)) return refused;
  const [stable, readers] = [textsIn(again), textsIn(reader)];
  const own = [...textsShown(context, first)].filter(
    (text) =>
      stable.has(text) &&
      (identifier === undefined || !text.includes(identifier)) &&
      !open.some((other) => other.text.includes(text)),
  );
  const ofObject = own.filter((text) => !frame?.text.includes(text));
  const seen = ofObject.filter((text) => readers.has(text));
  if (!isMost(seen.length, ofObject.length)) return refused;
  return { all: mostPersonalFirst(own.filter((text) => readers.has(text))), ofObject: mostPersonalFirst(seen) };
}

const textsIn = ({ text, header }: Exchange): Set<string> => textsOf(text, header('content-type') ?? '');
