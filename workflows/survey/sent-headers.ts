import type { Explored } from '../model/browser.ts';
import type { InputSurface } from '../model/surface.ts';
import { normaliseRoute } from '../probe/routes.ts';

/** What browsers send by themselves, and what libraries of scripts add to say what they are. */
export const usualHeader =
  /^(?:accept(?:-.*)?|access-control-.*|cache-control|connection|content-.*|cookie|dnt|expect|host|if-.*|keep-alive|last-event-id|origin|pragma|prefer|priority|purpose|range|referer|save-data|sec-.*|service-worker|te|trace(?:parent|state)|upgrade.*|user-agent|via|x-requested-with|baggage|sentry-trace|[an]pm-.*|hx-.*|turbo-.*|x-pjax.*|x-inertia.*|rsc|next-(?:router|url|action|hmr).*|x-(?:nextjs|sveltekit|nuxt|remix)-.*)$/i;
/** What opens a session, or shows whose page a request comes from, is looked up or verified as a whole. */
export const verifiedHeader = /auth|token|csrf|xsrf|session|api-?key|secret|signature|nonce/i;

/**
 * Headers that scripts of a page fill in by themselves, as inputs of the requests that carry them.
 */
export function sentHeaders({ requests, finalUrl }: Pick<Explored, 'requests' | 'finalUrl'>): InputSurface[] {
  return requests.flatMap(({ url, method, headers, body }) => {
    const contentType = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
    const sent = method === 'GET' ? {} : sentAlong(contentType, body ?? '', finalUrl);
    if (sent === undefined) return [];
    return headers
      .filter(([name, value]) => value !== '' && !usualHeader.test(name) && !verifiedHeader.test(name))
      .map(([parameter, sample]): InputSurface => {
        const place = { method, url, route: normaliseRoute(url), parameter, in: 'header' as const, sample };
        return { ...place, others: [], ...sent };
      });
  });
}

/** The body that goes with a header; undefined when it is of a kind that cannot be sent again. */
function sentAlong(contentType: string, body: string, pageUrl: string): Partial<InputSurface> | undefined {
  const page = { url: pageUrl.replace(/#.*$/s, ''), tokens: [] };
  if (/json/i.test(contentType)) return { contentType: 'application/json', json: { body, pointer: '' }, page };
  if (body !== '' && !/^application\/x-www-form-urlencoded/i.test(contentType)) return undefined;
  const others = [...new URLSearchParams(body)].map(([name, value]) => ({ name, value }));
  return { contentType: 'application/x-www-form-urlencoded', others, page };
}
