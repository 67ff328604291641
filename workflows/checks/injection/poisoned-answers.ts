import { type Assertion, claim, type Experiment, type HttpAction, type Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { attributeOf, isElement, nodesOf } from '../../probe/html/tree.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { encodeTemplate } from '../inputs/input-url.ts';
import { unshared } from '../pages/shared-cache.ts';

/** Something in a request that may change the answer for those who do not send it. `value` is a template with `‹nonce›`. */
export type Poison = { in: 'header' | 'query'; name: string; value: string };

/**
 * What it does to the answer: names the host of a script, of another address or of a redirect; gives another answer than the
 * page; or has its word in the page, as text or as markup.
 */
export type Effect = 'script' | 'address' | 'redirect' | 'status' | 'word' | 'markup';

/** Ends an attribute and a script, and begins an element of its own. */
export const markup = `‹nonce›'"></script><i data-‹nonce›>`;

/** The markup became an element: it neither was encoded nor stands in a comment, a text field or the like. */
export const hasMarkup = (answer: Exchange): boolean =>
  isHtml(answer) &&
  [...nodesOf(answer.text)].some(
    (node) =>
      isElement(node) &&
      node.tagName === 'i' &&
      node.attrs.some(({ name }) => name.startsWith('data-') && answer.request.url.includes(name)),
  );

/** Where a host stands as that of an address: of an attribute, or in a script. */
const addressOf = (name: string) => `["'=]\\s*(?:https?:)?//${name}\\.example[/"':?#>]`;
const foreignOrigin = (name: string) => `^https?://${name}\\.example(?::\\d+)?$`;

/** Answers that a visitor gets instead of the page; a firewall's, an overloaded server's or a broken one's are none of the site's. */
const isAnotherAnswer = (status: number): boolean =>
  (status >= 300 && status < 400) || [400, 404, 405, 410].includes(status);

/** What a poison with this word for its nonce has done to the answer that everybody gets. */
export function effectIn(poison: Poison, word: string, answer: Exchange, plain: Exchange): Effect | undefined {
  if (poison.in === 'query') return isHtml(answer) && answer.text.includes(word) ? 'word' : undefined;
  const origin = URL.parse(answer.header('location') ?? '', answer.request.url)?.origin ?? '';
  if (new RegExp(foreignOrigin(word)).test(origin)) return 'redirect';
  if (isHtml(answer) && new RegExp(addressOf(word)).test(answer.text))
    return loadsScript(answer, `${word}.example`) ? 'script' : 'address';
  return answer.status !== plain.status && isAnotherAnswer(answer.status) ? 'status' : undefined;
}

const loadsScript = (answer: Exchange, host: string): boolean =>
  [...nodesOf(answer.text)].some(
    (node) =>
      isElement(node) &&
      node.tagName === 'script' &&
      URL.parse(attributeOf(node, 'src') ?? '', answer.request.url)?.hostname === host,
  );

type PoisonedPair = { plain: Exchange; poisoned: Exchange; shows: Effect };

/**
 * Poisons an address that nobody else has, by a query of the trial's own, and asks for it as others would. The control sends
 * the same in a header or parameter without meaning. Another such address in between shows that the cache, and not the
 * application, keeps it.
 */
export function poisoning(url: string, poison: Poison, seen: PoisonedPair): Experiment {
  const shown = effectClaim(seen);
  const others: Step = {
    http: { url: unshared(url, '‹nonce3›') },
    note: 'An address that was not poisoned has nothing of it.',
    expect: othersClaims(seen, shown),
  };
  const poisoned: Step = {
    http: { url: unshared(url, '‹nonce2›') },
    note: `Who asks for the same address without ${poison.name} is given that page.`,
    expect: [shown],
  };
  const first: Step = {
    http: sent(unshared(url, '‹nonce2›'), poison),
    note: `${poison.name} changes the page, at an address that nobody else uses.`,
    expect: [shown],
    isShown: true,
  };
  const asked = [others, poisoned];
  const without = { ...poison, name: poison.in === 'header' ? 'X-‹nonce5›' : '‹nonce5›' };
  return {
    // A status alone has no value of the trial in it, so that it is looked at more often.
    steps: [
      first,
      ...asked,
      ...(seen.shows === 'status' ? [{ ...others, http: { url: unshared(url, '‹nonce6›') } }, poisoned] : []),
    ],
    control: [
      {
        http: sent(unshared(url, '‹nonce4›'), without),
        note: 'The same is sent in a place without meaning, at another address.',
        expect: [],
      },
      { ...poisoned, http: { url: unshared(url, '‹nonce4›') }, note: 'That address is not poisoned.' },
    ],
  };
}

const sent = (url: string, { in: place, name, value }: Poison): HttpAction =>
  place === 'header' ? { url, headers: [[name, value]] } : { url: `${url}&${name}=${encodeTemplate(value)}` };

function effectClaim({ shows, poisoned }: PoisonedPair): Assertion {
  if (shows === 'redirect')
    return claim('location:origin', 'matches', foreignOrigin('‹nonce›'), 'The redirect leads to the foreign host.');
  if (shows === 'status') return claim('status', 'equals', String(poisoned.status), 'This is not the page.');
  if (shows === 'markup' || shows === 'word')
    return claim('body', 'matches', '<i data-‹nonce›>', 'The markup is part of the page.');
  return claim('body', 'matches', addressOf('‹nonce›'), 'An address of the page has the foreign host.');
}

/** What everybody gets: the page itself, without the effect. */
function othersClaims({ plain, shows }: PoisonedPair, shown: Assertion): Assertion[] {
  const isThePage = claim('status', 'equals', String(plain.status), 'It is answered as before.');
  if (shows === 'status' || (shows === 'redirect' && plain.header('location') === undefined)) return [isThePage];
  return [isThePage, { ...claim(shown.subject, 'not-matches', shown.expected), note: 'Nothing of it stands here.' }];
}
