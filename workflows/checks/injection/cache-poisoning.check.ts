import type { Candidate } from '../../model/candidate.ts';
import type { Exchange, HeaderList } from '../../model/http.ts';
import type { PageSurface } from '../../model/surface.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { likeliest, samplePages } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { isFromCache, keptApart, unshared } from '../pages/shared-cache.ts';
import { type Effect, effectIn, hasMarkup, markup, type Poison, poisoning } from './poisoned-answers.ts';

/** Pages of one site that are looked at; a cache has the same rules for most. */
const maxPages = 4;
/** Where none of them says anything of a cache: neither that it came from one, nor that one may keep it. */
const maxSilent = 2;
/** Applications take the first name that they find, so those that had an effect are left out of the next look. */
const maxLooks = 3;

/** RFC 2606: nobody can own a name below .example. */
const host = '‹nonce›.example';

/** What frameworks and proxies trust although caches do not distinguish visitors by it; each group is looked at on its own. */
const groups: readonly (readonly Poison[])[] = [
  [
    { in: 'header', name: 'X-Forwarded-Host', value: host },
    { in: 'header', name: 'X-Host', value: host },
    { in: 'header', name: 'Forwarded', value: `host=${host}` },
    { in: 'header', name: 'X-Forwarded-Server', value: host },
    { in: 'header', name: 'X-Original-Host', value: host },
    { in: 'header', name: 'X-HTTP-Host-Override', value: host },
  ],
  // Symfony, Zend and IIS serve another page than the one that was asked for.
  [
    { in: 'header', name: 'X-Original-URL', value: '/‹nonce›' },
    { in: 'header', name: 'X-Rewrite-URL', value: '/‹nonce›' },
  ],
  // Who seems to come by HTTP is redirected to HTTPS, again and again.
  [
    { in: 'header', name: 'X-Forwarded-Scheme', value: 'http' },
    { in: 'header', name: 'X-Forwarded-Proto', value: 'http' },
  ],
  // Caches leave out of their keys what only counts visitors.
  ['utm_content', 'utm_campaign', 'utm_source', 'utm_medium', 'utm_term', 'gclid', 'fbclid'].map((name) => ({
    in: 'query',
    name,
    value: '‹nonce›',
  })),
];

type PoisonedPage = { url: string; poison: Poison; plain: Exchange; poisoned: Exchange; shows: Effect };

/** One visitor's header or parameter decides what a cache gives to all others. Source: CWE-349, WSTG-INPV-17. */
export const cachePoisoning = defineCheck<PoisonedPage>({
  id: 'injection.cache-poisoning',
  title: 'Web cache poisoning',
  cwe: 349,
  owasp: 'A08:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 15,

  async detect(context) {
    const kept = pagesOf(context.surface.pages);
    const max = kept[0] && rank(kept[0]) < 2 ? maxPages : maxSilent;
    const pages = samplePages(context, kept, max, 'a cache has the same rules for most');
    if (pages.length === 0) return notApplicable('No page was seen that a shared cache may keep.');
    const looked = await inParallel(pages, maxPages, ({ url }) => look(context, url));
    if (looked.every((found) => found === undefined))
      return notApplicable('No page was seen to come from a cache that keeps answers to different queries apart.');
    return looked.flatMap((found) => found ?? []);
  },

  async confirm(context, { data }) {
    if (!data) return undefined;
    const { url, poison, plain, poisoned, shows } = data;
    if (shows !== 'word') return poisoning(url, poison, { plain, poisoned, shows });
    // Text alone misleads nobody: it counts when it can be markup.
    const marked = { ...poison, value: markup };
    const answer = await send(context, url, [marked], [context.nonce()]);
    return hasMarkup(answer) ? poisoning(url, marked, { plain, poisoned: answer, shows: 'markup' }) : undefined;
  },

  explain: {
    description:
      'The answer depends on a header or parameter that is no part of the key under which a cache keeps it. What one request has put into the page is given to all who ask for the same address without it.',
    impact:
      'One request changes the page for everybody until the entry ends, and can be sent again: visitors run the attacker’s script, load files from their host, are sent elsewhere, or get an error instead of the page. Nobody has to follow a link.',
    sends:
      'Requests up to 4 cached pages under a random parameter, with forwarding and rewriting headers or tracking parameters that hold random values, and then without them. No address of other visitors is used.',
    proves:
      'A request without the header is given the random host, markup, redirect or error from the cache; another address, and a header of a random name, are not affected. An attacker changes what all visitors are given.',
    remedy:
      'Let the application ignore what it does not need: addresses from a configured name instead of X-Forwarded-Host, no X-Original-URL or X-Rewrite-URL (Symfony: `Request::setTrustedProxies` with your proxies only). Let the outermost proxy overwrite such headers (nginx `proxy_set_header X-Forwarded-Host $host;`, Varnish `unset req.http.X-Forwarded-Host;`, Apache `RequestHeader unset X-Original-URL`). What an answer does depend on belongs into the key: `Vary`, Varnish `hash_data(req.http.X-Forwarded-Host);`, CloudFront or Cloudflare cache policies, and no rule that takes utm_* out of the key of a page that shows them. Otherwise answer with `Cache-Control: no-store`. Then purge the cache.',
    references: [
      'CWE-349: https://cwe.mitre.org/data/definitions/349.html',
      'CAPEC-141: https://capec.mitre.org/data/definitions/141.html',
      'RFC 9111 §7.1: https://www.rfc-editor.org/rfc/rfc9111#section-7.1',
      'Practical Web Cache Poisoning: https://portswigger.net/research/practical-web-cache-poisoning',
    ],
  },
});

/** Pages that say they come from a cache first; those that no shared cache may keep are left out. Source: RFC 9111 §3. */
function pagesOf(pages: readonly PageSurface[]): PageSurface[] {
  return pages
    .filter((page) => page.status < 400 && (page.status >= 300 || /html/.test(page.contentType)))
    .filter((page) => isKept(page) || !/no-store|private/i.test(fieldOf(page, 'cache-control')))
    .toSorted((a, b) => rank(a) - rank(b));
}

const fieldOf = ({ headers }: PageSurface, wanted: string): string =>
  headers.flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : [])).join(',');

const isKept = (page: PageSurface): boolean => isFromCache({ header: (name) => fieldOf(page, name) || undefined });

/** 0 for a page that came from a cache, 1 for one that a cache may keep by what it says, 2 for others. */
const rank = (page: PageSurface): number =>
  isKept(page) ? 0 : /public|s-maxage|max-age=[1-9]/i.test(fieldOf(page, 'cache-control')) ? 1 : 2;

/** @returns undefined when no cache was seen, or none that it would be safe to try */
async function look(context: CheckContext, url: string): Promise<Candidate<PoisonedPage>[] | undefined> {
  const plain = await keptApart(context, url);
  if (!plain) return undefined;
  const found = await Promise.all(groups.map((group) => lookWith(context, url, plain, group)));
  return found.flat();
}

/** Which of a group change the answer: all at once, and again without those that did. */
async function lookWith(context: CheckContext, url: string, plain: Exchange, group: readonly Poison[]) {
  const candidates: Candidate<PoisonedPage>[] = [];
  let left = [...group];
  for (let looks = 0; looks < maxLooks && left.length > 0; looks += 1) {
    const words = left.map(() => context.nonce());
    const poisoned = await send(context, url, left, words);
    const hits = left.flatMap((poison, index) => {
      const shows = effectIn(poison, words[index] ?? '', poisoned, plain);
      return shows ? [{ url, poison, plain, poisoned, shows }] : [];
    });
    if (hits.length === 0) break;
    candidates.push(...hits.map(candidateOf));
    left = left.filter((poison) => hits.every((hit) => hit.poison !== poison));
    if (looks + 1 === maxLooks)
      likeliest(context, [...group], group.length - left.length, 'names of headers and parameters');
  }
  return candidates;
}

function send({ http, nonce }: CheckContext, url: string, poisons: readonly Poison[], words: readonly string[]) {
  const filled = poisons.map((poison, index) => ({
    ...poison,
    value: poison.value.replaceAll('‹nonce›', words[index] ?? ''),
  }));
  const headers: HeaderList = filled.flatMap(({ in: place, name, value }) =>
    place === 'header' ? [[name, value] as const] : [],
  );
  const query = filled.flatMap(({ in: place, name, value }) =>
    place === 'query' ? `&${name}=${encodeURIComponent(value)}` : [],
  );
  return http.get(unshared(url, nonce()) + query.join(''), { headers, fresh: true });
}

/** A page that loads script of somebody else's, or shows their markup, to all who come. */
const scriptVector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:L/I:L/A:N';
/** The page is gone. */
const outageVector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:L';
const vectors: Partial<Record<Effect, string>> = { script: scriptVector, word: scriptVector, status: outageVector };

function candidateOf(found: PoisonedPage): Candidate<PoisonedPage> {
  const { url, poison, shows } = found;
  const cvss = vectors[shows];
  return {
    location: { url, parameter: poison.name, parameterIn: poison.in },
    // Which parts of a request make the key is a rule for the whole site.
    route: '/',
    detail: `What ${poison.name} holds ${saidOf[shows]}.`,
    ...(cvss === undefined ? {} : { cvss }),
    data: found,
  };
}

const saidOf: Record<Effect, string> = {
  script: 'becomes the host of a script',
  address: 'stands in addresses of the page',
  redirect: 'decides where the page redirects to',
  status: 'decides whether the page is shown at all',
  word: 'stands in the page as markup',
  markup: 'stands in the page as markup',
};
