import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import type { Identity } from '../../model/identity.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { samplePages } from '../inputs/at-most.ts';
import { lookAtPages } from '../pages/look-at-pages.ts';
import { type OwnText, ownTextAt } from '../sessions/own-texts.ts';
import { lacksIdentities } from '../sessions/site-login.ts';

type DeceivedPage = { user: string; url: string; own: OwnText; way: DeceptivePath };
type DeceptivePath = { ending: (word: string) => string; how: string };

/** Pages of one identity that are looked at; the cache has the same rules for all. */
const maxPages = 4;

/**
 * Endings that many applications ignore and many caches take for a file that is the same for everybody. The word in them is
 * random, so that the address is nobody's but ours.
 */
const ways: readonly DeceptivePath[] = [
  { ending: (word) => `/${word}.css`, how: 'a file behind the path' },
  { ending: (word) => `;${word}.css`, how: 'a file as a parameter of the path' },
  { ending: (word) => `%2f${word}.css`, how: 'a file behind an encoded slash' },
  { ending: (word) => `%0a${word}.css`, how: 'a file behind an encoded line break' },
  { ending: (word) => `%23${word}.css`, how: 'a file behind an encoded number sign' },
  { ending: (word) => `%3f${word}.css`, how: 'a file behind an encoded question mark' },
];

/** A page of a logged-in user is kept by a cache for whoever asks for it at an address that looks like a file. Source: CWE-525. */
export const cacheDeception = defineCheck<DeceivedPage>({
  id: 'injection.cache-deception',
  title: 'Web cache deception',
  cwe: 525,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:N/A:N',
  depth: 'deep',
  risk: 'safe',

  async detect(context) {
    const identities = Object.values(context.identities);
    if (identities.length === 0) return lacksIdentities(context, 'a test identity');
    const shown = identities.map((identity) => ({ identity, pages: pagesOf(context, identity) }));
    if (shown.every(({ pages }) => pages.length === 0)) return notApplicable('No page of a logged-in user was seen.');
    // A second user's pages are the same addresses behind the same cache.
    for (const { identity, pages } of shown.filter(({ pages }) => pages.length > 0).slice(0, 1)) {
      const looked = await lookAtPages(context, pages, ({ url }) => lookAt(context, identity, url));
      const found = looked.find((each) => each !== undefined);
      if (found) return [candidateOf(found)];
    }
    return [];
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'An address that ends like a file, below a page of a logged-in user, is answered with that page, and a cache keeps the answer for everybody: a visitor without a session was given a text that only the test identity is shown.',
    impact:
      'An attacker sends a user a link with such an ending, or shows it as an image, and then asks for it: the cache gives out what the user saw, with personal data and tokens of forms.',
    sends:
      'Requests up to 4 pages of a test identity with its session at six addresses that end in a random file name, and the same addresses without a session. Nobody else knows these addresses, so the cache gives nobody else anything of them.',
    proves:
      'Without a session, a text that only the user is shown is given out at an address that the user has asked for before; at one that the user has not asked for it is not. An attacker who has a user open a link reads the page.',
    remedy:
      'Answer addresses that are none with 404 (exact routes; no path behind a script or a route), and send `Cache-Control: private, no-store` with pages of users. Let the cache go by that header and by Content-Type instead of by endings: Cloudflare "Cache Deception Armor", Varnish `if (beresp.http.Content-Type !~ "css|javascript|image") { set beresp.uncacheable = true; }`, nginx `proxy_no_cache $http_cookie;`. Then purge the cache.',
    references: [
      'CWE-525: https://cwe.mitre.org/data/definitions/525.html',
      'RFC 9111 §7.3: https://www.rfc-editor.org/rfc/rfc9111#section-7.3',
      'Web Cache Deception Attack: https://omergil.blogspot.com/2017/02/web-cache-deception-attack.html',
    ],
  },
});

/** Pages with an address that an ending may follow, the one that shows the session first. */
function pagesOf(context: CheckContext, { name, checkUrl }: Identity): { url: string }[] {
  const surface = context.surfaces[name];
  const shown = (surface?.pages ?? []).filter(
    ({ status, contentType, url }) => status === 200 && /html|json/.test(contentType) && new URL(url).pathname !== '/',
  );
  const sampled = samplePages(context, shown, maxPages, 'the cache has the same rules for all').map(({ url }) => url);
  return [...new Set([checkUrl, ...sampled])].filter((url) => new URL(url).pathname !== '/').map((url) => ({ url }));
}

async function lookAt(context: CheckContext, user: Identity, url: string): Promise<DeceivedPage | undefined> {
  const own = await ownTextAt(context, user, user, url);
  if (!own) return undefined;
  const { http, nonce } = context;
  const { jar, headers } = user;
  for (const way of ways) {
    const address = withEnding(url, way, nonce());
    const asUser = await http.get(address, { jar, headers, fresh: true });
    if (!asUser.text.includes(own.text)) continue;
    const asNobody = await http.get(address, { fresh: true });
    if (asNobody.text.includes(own.text)) return { user: user.name, url, own, way };
  }
  return undefined;
}

/** The address of the page without its query, and the ending. */
function withEnding(url: string, { ending }: DeceptivePath, word: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/$/, '')}${ending(word)}`;
}

const candidateOf = (found: DeceivedPage): Candidate<DeceivedPage> => ({
  location: { url: found.url },
  // A rule of the cache, for the whole site.
  route: '/',
  detail: `The page of "${found.user}" was given to a visitor without a session, at its address with ${found.way.how}.`,
  data: found,
});

function experimentFor({ user, url, own, way }: DeceivedPage): Experiment {
  const asked = withEnding(url, way, '‹nonce›');
  const given = [claim('body:masked', 'contains', '‹private›', 'What only the user is shown.')];
  const first: Step = {
    http: { url: asked },
    identity: user,
    note: 'The user asks for the address with the ending, as a link would have them do, and is shown the page. A text of it is remembered.',
    expect: [claim('status', 'equals', '200')],
    capture: [{ name: 'private', subject: 'body', pattern: own.pattern, secret: true }],
    hasEffect: true,
  };
  return {
    steps: [first, { http: { url: asked }, note: 'A visitor without a session is given that text.', expect: given }],
    control: [
      {
        http: { url: withEnding(url, way, '‹nonce2›') },
        note: 'At an address that the user has not asked for, the visitor is not given it.',
        expect: given,
      },
    ],
  };
}
