import { type Assertion, claim, type Experiment, type HttpAction } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { visibleText } from '../../probe/html/text.ts';
import { fillAction, newTrialValues } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import { asksForPassword } from '../logins/signs.ts';
import { areAlike } from '../pages/page-likeness.ts';
import { distinctivePieces, onlyIn } from './difference.ts';
import { isRefusing } from './refused-page.ts';

/** A request that is refused, the same with one change, and the same kind of change without what makes it work. */
export type PageChange = {
  what: string;
  refused: HttpAction;
  changed: HttpAction;
  twin: HttpAction;
  /** A right answer to it describes the place instead of showing the page. */
  mayDescribe?: true;
};

export type OpenedPage = { change: PageChange; shown: Assertion[]; hidden: Assertion[] };

type PageContext = Pick<CheckContext, 'http' | 'nonce'>;

/** Sends a request with new values in it; undefined when it may not be sent, or is not answered. */
export async function answerTo({ http, nonce }: PageContext, action: HttpAction): Promise<Exchange | undefined> {
  const filled = fillAction({ http: action }, newTrialValues(nonce));
  if (!('http' in filled)) return undefined;
  const { method, url, headers, body } = filled.http;
  try {
    return await http.send({
      ...{ url, fresh: true, timeoutMs: 8_000 },
      ...(method === undefined ? {} : { method }),
      ...(headers ? { headers } : {}),
      ...(body === undefined ? {} : { body }),
    });
  } catch (error) {
    // Servers close the connection on what they do not like.
    if (error instanceof ProbeError && ['refused', 'protocol_error', 'timeout'].includes(error.code)) return undefined;
    throw error;
  }
}

/**
 * Whether a change opens a page that is refused otherwise. A change that does nothing costs one request; what looks open is asked
 * for again, beside its twin, the refusal, and another page of the site, which it must not be.
 */
export async function openedBy(
  context: PageContext,
  change: PageChange,
  { elsewhere }: { elsewhere: readonly Exchange[] },
): Promise<OpenedPage | undefined> {
  const first = await answerTo(context, change.changed);
  if (!first || !isOpen(first) || (change.mayDescribe && isDescription(first))) return undefined;
  // Nothing in it could show that it is another page.
  if (distinctivePieces(onlyIn([first], elsewhere, valuesIn(change)), /$^/).length === 0) return undefined;
  const refused = [await answerTo(context, change.refused), await answerTo(context, change.refused)];
  const twin = await answerTo(context, change.twin);
  const again = await answerTo(context, change.changed);
  const [before, beforeAgain] = refused;
  if (!before || !beforeAgain || !twin || !again || !isOpen(again) || again.status !== first.status) return undefined;
  if (!isRefusing(before) || !isRefusing(beforeAgain)) return undefined;
  // A site that answers whatever it is asked.
  if (isOpen(twin) && areAlike(first, [twin])) return undefined;
  if (await isMissing(context, first, change)) return undefined;
  const repeated = repeatedName(change.changed.url);
  const pieces = onlyIn([first, again], [before, beforeAgain, twin, ...elsewhere], valuesIn(change)).filter(
    (piece) => repeated === undefined || !piece.toLowerCase().includes(repeated),
  );
  const markers = distinctivePieces(pieces, /$^/);
  if (markers.length === 0) return undefined;
  const status = String(first.status);
  const isStatus = before.status !== first.status && twin.status !== first.status;
  return {
    change,
    shown: [claim('status', 'equals', status), ...markers.map((piece) => claim('body:masked', 'contains', piece))],
    hidden: isStatus
      ? [claim('status', 'not-equals', status)]
      : markers.map((piece) => claim('body:masked', 'not-contains', piece)),
  };
}

/** Shown as a page, and no refusal in other words. */
const isOpen = (exchange: Exchange): boolean =>
  exchange.status >= 200 && exchange.status < 300 && !isRefusing(exchange) && !asksForPassword(exchange);

const sayingMissing =
  /\b(?:not|n.t|no longer|cannot|never)\b[^.!?]{0,20}\b(?:found|exist|available)|\bno such\b|\b404\b|nicht gefunden|introuvable|no encontrad|não encontrad|non trovat|niet gevonden/i;

/** It says that there is no such page, as that part of the site says of a name that is nobody's, with a status of success. */
async function isMissing(context: PageContext, shown: Exchange, { changed, refused }: PageChange): Promise<boolean> {
  if (!sayingMissing.test(visibleText(shown.text).replace(/\s+/g, ' '))) return false;
  const folders = [changed.url.replace(/[^/]*(?:[?#].*)?$/s, ''), `${refused.url.replace(/\/?(?:[?#].*)?$/s, '')}/`];
  for (const folder of new Set(folders)) {
    const nobodys = await answerTo(context, { ...changed, url: `${folder}‹nonce2›` });
    if (nobodys && isOpen(nobodys) && areAlike(shown, [nobodys])) return true;
  }
  return false;
}

/** It says which methods there are (RFC 9110 §9.3.7), as frameworks for APIs do, or lists properties (RFC 4918 §9.1). */
const isDescription = (exchange: Exchange): boolean =>
  exchange.status !== 200 || exchange.header('allow') !== undefined || /\bGET\b|"get"\s{0,9}:/.test(exchange.text);

/** Most of the last name of a path, without the ending of a file, which pages repeat in any spelling. */
function repeatedName(url: string): string | undefined {
  const path = url.replace(/^https?:\/\/[^/]*|[?#].*$/gs, '');
  const names = path.replace(/(\w{4})\.\w{1,6}(?=\/?$)/, '$1').match(/\w{4,}/g);
  return names?.at(-1)?.slice(2).toLowerCase();
}

/** What pages may repeat of a request. */
function valuesIn({ refused, changed, twin }: PageChange): string[] {
  return [refused, changed, twin].flatMap(({ url, headers = [] }) => {
    const { pathname, searchParams } = new URL(url.replace(/[‹›]/g, ''));
    const values = headers.flatMap(([, value]) => value.split(/[;=]\s*/)).filter(({ length }) => length > 3);
    return [
      ...values,
      ...(pathname.length > 3 ? [pathname] : []),
      ...[...searchParams.values()].filter(({ length }) => length > 3),
    ];
  });
}

export const openedExperiment = ({ change, shown, hidden }: OpenedPage, control: string): Experiment => ({
  steps: [
    { http: change.refused, note: 'The page is refused.', expect: hidden, isShown: true },
    { http: change.changed, note: `The same with ${change.what}: the page is shown.`, expect: shown },
  ],
  control: [{ http: change.twin, note: control, expect: shown }],
});
