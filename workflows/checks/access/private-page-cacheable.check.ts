import CachePolicy from 'http-cache-semantics';
import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { Identity } from '../../model/identity.ts';
import type { PageSurface } from '../../model/surface.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { samplePages } from '../inputs/at-most.ts';
import { lookAtPages } from '../pages/look-at-pages.ts';
import { type OwnText, ownTextAt } from '../sessions/own-texts.ts';
import { byRole } from '../sessions/roles.ts';
import { lacksIdentities } from '../sessions/site-login.ts';

type CacheablePage = { user: string; url: string; own: OwnText; cacheControl: string; seconds: number };

/** Pages whose answers may be kept, of which a text of the user's own is looked for. */
const maxPages = 4;

/** What a user alone is shown may be kept, and given to others, by every cache on the way. Source: RFC 9111 §3, §7.3, CWE-524. */
export const privatePageCacheable = defineCheck<CacheablePage>({
  id: 'access.private-page-cacheable',
  title: 'Private page may be stored by shared caches',
  cwe: 524,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N',
  depth: 'deep',
  risk: 'safe',

  async detect(context) {
    const { users, administrators } = byRole(context);
    const [first] = [...users, ...administrators];
    if (!first) return lacksIdentities(context, 'a test identity');
    const shown = context.surfaces[first.name]?.pages.filter(({ status }) => status === 200) ?? [];
    if (shown.length === 0) return notApplicable('No page of a logged-in user was seen.');
    const kept = shown.filter((page) => secondsKept(page) > 0);
    const why = 'headers are set for the whole site, or for pages of one kind';
    const found = await lookAtPages(context, samplePages(context, kept, maxPages, why), (page) =>
      lookAt(context, first, page),
    );
    return found.flatMap((each) => each ?? []).map(candidateOf);
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'A page that shows a logged-in user what is theirs is sent with permission to keep it: a proxy or content network that goes by the standard stores the answer and gives it to whoever asks for that address next, with or without a session.',
    impact:
      'Wherever a shared cache stands before the site, now or after the next change of its hosting, one user is shown the data of another. In a browser that several people use, the page can be read after its user has logged out.',
    sends:
      'Requests up to 4 pages that caches may keep, as each test identity and without a session. Whether they may is read from headers that were seen before; nothing is put into a cache on purpose.',
    proves:
      'The answer with a text that only the user is shown has headers by which RFC 9111 lets a shared cache keep it for all visitors; without a session the text is not shown. That a cache stands there is not claimed.',
    remedy:
      'Send `Cache-Control: no-store` (or `private, no-cache`) with every answer to a logged-in user, in one place: Express `app.use(requireLogin, (q, r, next) => { r.set("Cache-Control", "no-store"); next(); })`, Django `@cache_control(private=True, no_store=True)`, Spring Security sends it unless it was switched off, nginx `add_header Cache-Control "no-store" always;` in the location. Keep `public` and `max-age` for files that are the same for everybody.',
    references: [
      'RFC 9111 §7.3: https://www.rfc-editor.org/rfc/rfc9111#section-7.3',
      'CWE-524: https://cwe.mitre.org/data/definitions/524.html',
      'WSTG-ATHN-06: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/04-Authentication_Testing/06-Testing_for_Browser_Cache_Weaknesses',
    ],
  },
});

/**
 * For how long a shared cache may give an answer, which a visitor with a session was given, to one without.
 * Answers that say nothing of how long are kept by few caches, and count as not kept.
 */
function secondsKept({ url, status, headers }: Pick<Exchange, 'status' | 'headers'> & { url: string }): number {
  const answered: Record<string, string> = {};
  for (const [name, value] of headers) {
    const known = answered[name.toLowerCase()];
    answered[name.toLowerCase()] = known === undefined ? value : `${known}, ${value}`;
  }
  if (!/max-age/i.test(answered['cache-control'] ?? '') && answered.expires === undefined) return 0;
  const asUser = { method: 'GET', url, headers: { cookie: 'session=own' } };
  const policy = new CachePolicy(asUser, { status, headers: answered }, { shared: true });
  const asNobody = { method: 'GET', url, headers: {} };
  return policy.storable() && policy.satisfiesWithoutRevalidation(asNobody)
    ? Math.floor(policy.timeToLive() / 1000)
    : 0;
}

async function lookAt(context: CheckContext, user: Identity, { url }: PageSurface): Promise<CacheablePage | undefined> {
  const own = await ownTextAt(context, user, user, url);
  if (!own) return undefined;
  const { jar, headers } = user;
  const shown = await context.http.get(url, { jar, headers, fresh: true });
  const seconds = secondsKept({ url, status: shown.status, headers: shown.headers });
  const cacheControl = shown.header('cache-control') ?? '';
  return seconds > 0 ? { user: user.name, url, own, cacheControl, seconds } : undefined;
}

const candidateOf = (found: CacheablePage): Candidate<CacheablePage> => ({
  location: { url: found.url, parameter: 'Cache-Control', parameterIn: 'header' },
  // Set for the whole site, or for all pages of a kind.
  route: '/',
  detail: `A shared cache may give the page of "${found.user}" to anybody for ${found.seconds} seconds.`,
  data: found,
});

function experimentFor({ user, url, own, cacheControl }: CacheablePage): Experiment {
  const mayBeKept =
    cacheControl === ''
      ? [claim('header:cache-control', 'absent'), claim('header:expires', 'present')]
      : [claim('header:cache-control', 'matches', `^${escapePattern(cacheControl)}$`)];
  return {
    steps: [
      {
        http: { url },
        identity: user,
        note: 'The user is shown the page, with permission to keep it. A text of it is remembered.',
        expect: [claim('status', 'equals', '200'), ...mayBeKept],
        capture: [{ name: 'private', subject: 'body', pattern: own.pattern, secret: true }],
      },
    ],
    control: [
      {
        http: { url },
        note: 'A visitor without a session is not shown that text: the page is not for everybody.',
        expect: [claim('body:masked', 'contains', '‹private›')],
      },
    ],
  };
}
