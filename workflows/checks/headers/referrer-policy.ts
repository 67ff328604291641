import type { Exchange } from '../../model/http.ts';
import { attributeOf, isElement, nodesOf } from '../../probe/html/tree.ts';

/** The policy of a page for what browsers send of its address to other sites. */
type ReferrerPolicy =
  | { kind: 'absent' }
  /** Other sites learn at most the origin. */
  | { kind: 'protective' }
  /** Other sites learn the whole address. `written` is the word in the markup or header. */
  | { kind: 'lax'; name: string; written: string; from: 'header' | 'markup' };

const lax = new Set(['unsafe-url', 'no-referrer-when-downgrade']);
const protective = new Set([
  'no-referrer',
  'same-origin',
  'origin',
  'strict-origin',
  'origin-when-cross-origin',
  'strict-origin-when-cross-origin',
]);
/** Words of before the standard that browsers still take in markup. Source: HTML Standard §4.2.5.1. */
const legacy: Record<string, string> = {
  never: 'no-referrer',
  default: 'strict-origin-when-cross-origin',
  always: 'unsafe-url',
  'origin-when-crossorigin': 'origin-when-cross-origin',
};

/** The last word that browsers know counts, and markup comes after headers. Source: Referrer Policy §4.1, §11.1. */
export function readReferrerPolicy(exchange: Exchange): ReferrerPolicy {
  const inHeader = exchange
    .headerValues('referrer-policy')
    .flatMap((value) => value.split(','))
    .map((word) => ({ written: word.trim(), name: word.trim().toLowerCase(), from: 'header' as const }));
  const inMarkup = metaReferrers(exchange.text).map((content) => {
    const written = content.trim();
    const word = written.toLowerCase();
    return { written, name: legacy[word] ?? word, from: 'markup' as const };
  });
  const last = [...inHeader, ...inMarkup].findLast(({ name }) => lax.has(name) || protective.has(name));
  if (!last) return { kind: 'absent' };
  return protective.has(last.name) ? { kind: 'protective' } : { kind: 'lax', ...last };
}

const metaReferrers = (html: string): string[] =>
  [...nodesOf(html)].filter(isElement).flatMap((element) => {
    const isReferrer = element.tagName === 'meta' && attributeOf(element, 'name')?.trim().toLowerCase() === 'referrer';
    return isReferrer ? (attributeOf(element, 'content') ?? []) : [];
  });
