import { claim } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { clearest } from '../../probe/html/page-pieces.ts';
import type { CheckContext } from '../contract.ts';
import { asksForPassword } from '../logins/signs.ts';
import { onlyIn } from './difference.ts';
import { answerTo, type OpenedPage, type PageChange } from './opened-page.ts';
import { isRefusing } from './refused-page.ts';

/** Of people, and secrets with the word for them before: no page has them for whoever reads about what a role may do. */
const ofPeople = /[\w.+-]{1,64}@[\w-]{1,63}\.\w{2,20}|(?<!\d)\+\d[\d ()/-]{7,20}\d/;
const secrets =
  /\b(?:[Pp]ass(?:word|phrase|code)?|PASSWORD|[Ss]ecret|SECRET|[Tt]oken|TOKEN|[Kk]ey|KEY|[Cc]ode|CODE|PIN|[Pp]in|[Ff]lag|FLAG)s?(?: (?:is|are))?\b[ :=]{1,3}["'`]?(?=[\w-]*[\dA-Z_])[\w-]{3,}/;
/** Controls of those who run a site, as pieces of a page: `a href="/admin/users"`, `form method="post" …`. */
const controls =
  /^(?:a|form)\s[^>]*\b(?:href|action)=["']?[^"'\s]*(?:admin|manage|staff|moderat|backoffice|delete|users?\/|console)/i;
/** How such a place is called. */
const areas =
  /\badmin(?:istrat(?:ion|or))?s?['’]?\s+(?:panel|area|console|dashboard|tools|section|menu)\b|\b(?:control|management) panel\b/i;
const maxMarkers = 2;

/**
 * Whether a page that refuses nobody has more for whoever sends the changed value: data of people, secrets or controls of an
 * administration, which neither the value that the site gave nor a word that stands for nothing shows. A change that does nothing costs
 * one request.
 */
export async function shownMore(
  context: Pick<CheckContext, 'http' | 'nonce'>,
  change: PageChange,
): Promise<OpenedPage | undefined> {
  const [first, before] = [await answerTo(context, change.changed), await answerTo(context, change.refused)];
  const reserved = reservedFor(change);
  const isShown = (answer: typeof first): answer is NonNullable<typeof first> =>
    answer !== undefined && answer.status === 200 && !isRefusing(answer) && !asksForPassword(answer);
  if (!isShown(first) || !isShown(before) || reserved(onlyIn([first], [before])).length === 0) return undefined;
  const [beforeAgain, twin] = [await answerTo(context, change.refused), await answerTo(context, change.twin)];
  const again = await answerTo(context, change.changed);
  if (!isShown(beforeAgain) || !isShown(twin) || !isShown(again)) return undefined;
  const pieces = onlyIn([first, again], [before, beforeAgain, twin]).filter((piece) => !repeats(piece, change, twin));
  const markers = clearest(reserved(pieces), maxMarkers);
  if (markers.length === 0) return undefined;
  return {
    change,
    shown: [claim('status', 'equals', '200'), ...markers.map((piece) => claim('body:masked', 'contains', piece))],
    hidden: markers.map((piece) => claim('body:masked', 'not-contains', piece)),
  };
}

/** Data of people, a secret, or a control of those who run a site. */
export const isReserved = (piece: string): boolean =>
  [ofPeople, controls, secrets].some((pattern) => pattern.test(piece));

/** Pages may explain to anybody what a role has that their address names. A cookie is no question. */
const reservedFor =
  ({ refused: { headers = [] } }: PageChange) =>
  (pieces: readonly string[]): string[] => {
    const isCookie = headers.some(([name]) => name.toLowerCase() === 'cookie');
    return pieces.filter((piece) => isReserved(piece) || (isCookie && areas.test(piece)));
  };

/** What stands around the changed word stands around the invented one, too: "Hello admin, your code is 7". */
function repeats(piece: string, { what }: PageChange, { text }: Exchange): boolean {
  const word = / to "([^"]*)"/.exec(what)?.[1]?.toLowerCase() ?? '';
  const lower = piece.toLowerCase();
  return (
    word.length > 1 && lower.includes(word) && lower.split(word).every((part) => text.toLowerCase().includes(part))
  );
}
