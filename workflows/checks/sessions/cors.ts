import type { Candidate } from '../../model/candidate.ts';
import { type Assertion, claim, type Experiment } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { Identity } from '../../model/identity.ts';
import type { PageSurface, Surface } from '../../model/surface.ts';
import { wasOrWere } from '../../model/words.ts';
import { normaliseRoute } from '../../probe/routes.ts';
import type { CheckContext } from '../contract.ts';
import { atMost } from '../inputs/at-most.ts';
import { keepsState } from './visitor-state.ts';

/** Endpoints that are asked. CORS is a setting of an application or of a part of it, rarely of one address. */
const maxPlaces = 5;
/** Of those whose answers have CORS headers, and of APIs, more are asked. */
const maxApiParts = 40;

const allowOrigin = 'access-control-allow-origin';
const allowCredentials = 'access-control-allow-credentials';

/**
 * Addresses that are worth asking with an Origin, one of each part of the site: first those whose answers have CORS headers,
 * then APIs, then pages.
 */
export function corsPlaces(context: Pick<CheckContext, 'leave'>, { pages }: Surface): string[] {
  const answered = pages.filter(({ status }) => status !== 404 && status < 500);
  const ranked = answered.toSorted(
    (a, b) => rank(a) - rank(b) || a.url.length - b.url.length || (a.url < b.url ? -1 : 1),
  );
  const partOf = (page: PageSurface) => `${rank(page)} ${normaliseRoute(page.url).split('/').slice(0, 3).join('/')}`;
  const parts = [...Map.groupBy(ranked, partOf).values()].flatMap(([first]) => first ?? []);
  const apiParts = parts.filter((page) => rank(page) < 2);
  const asked = [
    ...atMost(context, apiParts, maxApiParts, 'parts of the site with an API'),
    ...parts.filter((page) => rank(page) === 2).slice(0, Math.max(0, maxPlaces - apiParts.length)),
  ];
  const left = ranked.length - asked.length - Math.max(0, apiParts.length - maxApiParts);
  const text = `${left} of ${ranked.length} addresses ${wasOrWere(left)} not asked with an origin: others of their part of the site, or other pages, were`;
  if (left > 0) context.leave({ code: 'alike', count: left, text });
  return asked.map(({ url }) => url);
}

function rank({ headers, contentType }: PageSurface): number {
  const hasTrace = headers.some(
    ([name, value]) => /^access-control-/i.test(name) || (/^vary$/i.test(name) && /\borigin\b/i.test(value)),
  );
  if (hasTrace) return 0;
  return /json|xml/i.test(contentType) && !/html/i.test(contentType) ? 1 : 2;
}

/** A page of this origin may read the answer to a request that carries the visitor's cookies. Source: Fetch Standard §4.10. */
export const trusts = (exchange: Exchange, origin: string): boolean =>
  exchange.headerValues(allowOrigin).join(', ').trim() === origin &&
  exchange.headerValues(allowCredentials).join(', ').trim() === 'true';

/** An origin that was never heard of is trusted with the answer to this session. */
export async function trustsEveryone(
  { http, nonce }: Pick<CheckContext, 'http' | 'nonce'>,
  { jar, headers }: Identity,
  url: string,
): Promise<boolean> {
  const origin = `https://${nonce()}.invalid`;
  const asked = { jar, headers: [...headers, ['Origin', origin] as const], fresh: true };
  const answer = await http.get(uncached(url, nonce()), asked);
  return answer.status === 200 && trusts(answer, origin);
}

/** Something in the answer depends on who asks, or lets others read it. */
export const speaksOfOrigins = (exchange: Exchange): boolean =>
  exchange.header(allowOrigin) !== undefined ||
  exchange.header(allowCredentials) !== undefined ||
  exchange.headerValues('vary').some((value) => /\borigin\b/i.test(value));

/** Where there is neither a session nor a form, no cookie makes an answer worth reading. */
const withoutState = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:N/I:N/A:N';

/** Whom to trust is a setting of the application: all its addresses are one finding. */
export const originPlace = (url: string): Omit<Candidate<never>, 'data'> => ({
  location: { url, parameter: 'Origin', parameterIn: 'header' },
  route: '/',
});

/** The same, seen without a session: info where the site knows no visitors. */
export const visitorsPlace = (
  context: Pick<CheckContext, 'surface' | 'now'>,
  url: string,
): Omit<Candidate<never>, 'data'> => ({ ...originPlace(url), ...(keepsState(context) ? {} : { cvss: withoutState }) });

/** The same address under a new name, so that no shared cache keeps an answer that was made for our origin. */
export function uncached(url: string, nonce: string): string {
  const [address = ''] = url.split('#');
  return `${address}${address.includes('?') ? '&' : '?'}_=${nonce}`;
}

/** What `trusts` says, as claims. */
export const trustsClaims = (origin: string): Assertion[] => [
  claim(`headers:${allowOrigin}`, 'equals', origin, 'The answer may be read by pages of this origin,'),
  claim(`headers:${allowCredentials}`, 'equals', 'true', 'also when the request carries cookies.'),
];

/** An origin may read an answer with credentials, and one that has nothing to do with the site may not. */
export function originExperiment(url: string, origin: string, note: string): Experiment {
  const asking = (as: string, name: string) => ({
    http: { url: uncached(url, name), headers: [['Origin', as] as const] },
    expect: trustsClaims(as),
  });
  return {
    steps: [{ ...asking(origin, '‹nonce›'), note }],
    control: [
      {
        ...asking('https://‹nonce2›.example', '‹nonce3›'),
        note: 'An origin that has nothing to do with the site is not trusted.',
      },
    ],
  };
}
