import type { Exchange } from '../../model/http.ts';
import { parseJson } from '../../model/json.ts';
import type { Surface } from '../../model/surface.ts';
import { leadSource } from '../../survey/lead.ts';
import type { CheckContext } from '../contract.ts';
import { type LoginAttempt, pageAfter } from './attempt.ts';
import { asksForPassword } from './signs.ts';

/** Pages that refused a visitor and are asked for after a login; each costs a request for a try, and one as nobody. */
const maxRefused = 2;

/**
 * The page that the answer to credentials leads to. Where it leads nowhere, and is no refusal or sets a cookie that one does not, the
 * first page and those that the survey was refused.
 */
export async function pagesBehind(
  context: Pick<CheckContext, 'http' | 'nonce' | 'visitor' | 'surface'>,
  first: LoginAttempt,
  refused: LoginAttempt,
): Promise<string[]> {
  const { exchange, captures } = first;
  const target = redirectOf(exchange);
  if (target === undefined) {
    const given = new Set(refused.captures.map(({ subject }) => subject));
    const isOther = refused.exchange.status >= 400 || captures.some(({ subject }) => !given.has(subject));
    return exchange.status < 300 && isOther ? [context.surface.url, ...refusedBefore(context.surface)] : [];
  }
  if (target !== redirectOf(refused.exchange)) return [target, ...(await ledOnTo(context, first, target))];
  // Sites that redirect everybody to one page show there who was let in; a redirect back to the login means a refusal.
  const page = await pageAfter(context, refused, target);
  return page && !asksForPassword(page) ? [target] : [];
}

/** Some sites have an address for everybody, which leads to that of one's own: "/my" to "/my-account?id=7f3a". */
async function ledOnTo(
  context: Pick<CheckContext, 'http' | 'nonce' | 'visitor'>,
  tried: LoginAttempt,
  target: string,
): Promise<string[]> {
  const page = await pageAfter(context, tried, target);
  const further = page && page.status >= 300 ? redirectOf(page) : undefined;
  return further === undefined || further === target ? [] : [further];
}

const refusedBefore = ({ pages }: Pick<Surface, 'pages'>): string[] =>
  pages
    .filter(({ status, source }) => source !== leadSource.wellKnown && isRefusedOrLedAway(status))
    .slice(0, maxRefused)
    .map(({ url }) => url);

const isRefusedOrLedAway = (status: number): boolean =>
  status === 401 || status === 403 || (status >= 300 && status < 400);

function redirectOf(exchange: Exchange): string | undefined {
  const { status, header, request } = exchange;
  const address = status >= 300 && status < 400 ? header('location') : namedIn(exchange);
  const target = address === undefined ? null : URL.parse(address, request.url);
  return target?.origin === new URL(request.url).origin ? target.href : undefined;
}

/** Names of the address that a script goes to after a login. */
const nextNames = /^(?:next|redirect(?:_?(?:url|uri|to))?|location|target|goto|return_?(?:url|to)|url|page)$/i;

/** The address that an answer in JSON leads its script to. */
function namedIn({ status, text, header }: Exchange): string | undefined {
  if (status !== 200 || !/json/i.test(header('content-type') ?? '')) return undefined;
  const members = Object.entries(Object(parseJson(text)) as Record<string, unknown>);
  const [, address] = members.find(([name, value]) => nextNames.test(name) && typeof value === 'string') ?? [];
  return typeof address === 'string' && /^(?:\/|https?:)/.test(address) ? address : undefined;
}
