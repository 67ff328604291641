import type { BrowserResult } from '../../model/browser.ts';
import { type Assertion, claim, type Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { Identity } from '../../model/identity.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import type { MarkedPage } from '../sessions/own-sessions.ts';
import { isPersonal, mostPersonalFirst, patternFor, textsShown } from '../sessions/private-text.ts';
import { isPrivileged } from '../sessions/roles.ts';
import { isSessionName } from '../sessions/session-cookie.ts';
import type { StoredToken } from './stored-tokens.ts';

/** How a request carries a token: what stands before it in the value of a header. */
type TokenHeader = { header: string; before: string };

/** An address that answers to a token as to its user. */
export type TokenOpening = {
  url: string;
  carrier: TokenHeader;
  /** Finds a text of the user on their marked page that the answer shows as well; without it the answer has the marker. */
  ownPattern?: string;
};

const bearer: TokenHeader = { header: 'Authorization', before: 'Bearer ' };
const maxAddresses = 6;
const maxCarriers = 3;

/** What a user's browser was seen to do, and what is compared with it. */
type TokenTools = {
  context: CheckContext;
  /** The session that the token is of. */
  session: Identity;
  page: MarkedPage;
};

/**
 * Sends a token, and nothing else of the session, where the page itself sends it, and where the user's data is.
 * @param seen the visit in which it was kept
 */
export async function openingOf(
  tools: TokenTools,
  token: StoredToken,
  seen: Pick<BrowserResult, 'requests'>,
): Promise<TokenOpening | undefined> {
  const sent = seen.requests.flatMap((request) => sentWith(request, token.value));
  const all = [...sent, ...usual(tools, token)].map(({ carrier }) => carrier);
  const carriers = [...new Map(all.map((carrier) => [JSON.stringify(carrier), carrier])).values()];
  const { origin } = new URL(tools.page.url);
  const addresses = [...sent.map(({ url }) => url), tools.page.url, ...dataAddresses(tools, seen)];
  const own = [...new Set(addresses)].filter((url) => URL.parse(url)?.origin === origin);
  for (const url of own.slice(0, maxAddresses)) {
    for (const carrier of carriers.slice(0, maxCarriers)) {
      const opened = await tryOpening(tools, url, carrier, token.value);
      if (opened) return opened;
    }
  }
  likeliest(tools.context, own, maxAddresses, 'addresses that a token may open');
  likeliest(tools.context, carriers, maxCarriers, 'ways to send a token');
  return undefined;
}

type SentToken = { url: string; carrier: TokenHeader };

/** Headers of the page's own requests that hold the token at their end. */
function sentWith({ url, method, headers }: BrowserResult['requests'][number], token: string): SentToken[] {
  if (method !== 'GET') return [];
  return headers
    .filter(([, value]) => value.endsWith(token))
    .map(([header, value]) => ({ url, carrier: { header, before: value.slice(0, -token.length) } }));
}

/** The usual header, and cookies: one that has the same value, or is named as the entry is. */
function usual({ session, page }: TokenTools, { place, value }: StoredToken): SentToken[] {
  const same = session.jar.all().filter((cookie) => cookie.value === value);
  const names = [...same.map(({ name }) => name), ...(isCookieName(place.entry) ? [place.entry] : [])];
  const cookies = names.map((name): TokenHeader => ({ header: 'Cookie', before: `${name}=` }));
  return [bearer, ...cookies].map((carrier) => ({ url: page.url, carrier }));
}

/** RFC 6265 §4.1.1, as far as sessions are named. */
const isCookieName = (entry: string): boolean => /^[\w.-]{1,40}$/.test(entry) && isSessionName(entry);

/** What the page's scripts read, and answers of JSON that the user was shown. */
function dataAddresses({ context, session }: TokenTools, { requests }: Pick<BrowserResult, 'requests'>): string[] {
  const pages = context.surfaces[session.name]?.pages ?? [];
  const shown = pages.filter(({ status, contentType }) => status === 200 && /json/i.test(contentType));
  return [...requests.filter(isForData), ...shown].map(({ url }) => url);
}

/** Asks for data rather than for a page, a style or a picture: fetch takes anything, libraries ask for JSON. */
function isForData({ url, method, headers }: BrowserResult['requests'][number]): boolean {
  const accept = headers.find(([name]) => name === 'accept')?.[1] ?? '';
  const isFile = /\.(?:m?js|css|map|svg|woff2?)$/i.test(URL.parse(url)?.pathname ?? '');
  return method === 'GET' && !isFile && /json|^\*\/\*$/i.test(accept);
}

const carried = ({ header, before }: TokenHeader, token: string): [string, string][] => [[header, before + token]];

async function tryOpening(
  tools: TokenTools,
  url: string,
  carrier: TokenHeader,
  token: string,
): Promise<TokenOpening | undefined> {
  const { http } = tools.context;
  const answer = await http.get(url, { headers: carried(carrier, token), fresh: true });
  if (answer.status !== 200) return undefined;
  const anonymous = await http.get(url, { fresh: true });
  const { marker } = tools.page;
  if (answer.text.includes(marker) && !anonymous.text.includes(marker) && url === tools.page.url)
    return { url, carrier };
  const ownPattern = await ownTextIn(tools, answer, anonymous);
  return ownPattern === undefined ? undefined : { url, carrier, ownPattern };
}

/** A text of the user's marked page that neither visitors nor other users have there, and that the answer shows too. */
async function ownTextIn(tools: TokenTools, answer: Exchange, anonymous: Exchange): Promise<string | undefined> {
  const { context, session, page } = tools;
  const home = ({ jar, headers }: Identity) => context.http.get(page.url, { jar, headers, fresh: true });
  const [own, again] = [await home(session), await home(session)];
  const others = [anonymous, await context.http.get(page.url, { fresh: true })];
  const peers = Object.values(context.identities).filter(
    (each) => each.name !== session.name && isPrivileged(each) === isPrivileged(session),
  );
  for (const peer of peers) others.push(await home(peer));
  // With nobody to compare, a word of the shop would pass for a name.
  const texts = [...textsShown(context, answer)].filter(
    (text) => own.text.includes(text) && (peers.length > 0 || isPersonal(text)),
  );
  for (const text of mostPersonalFirst(texts)) {
    if (others.some((other) => other.text.includes(text))) continue;
    const pattern = patternFor(text, [own.text, again.text]);
    if (pattern !== undefined) return pattern;
  }
  return undefined;
}

/** Reads the user's own text in their session, when one is needed to know whose the answer is. */
export const rememberStep = (
  page: MarkedPage,
  { ownPattern }: TokenOpening,
  who: Pick<Step, 'identity' | 'session'>,
): Step[] =>
  ownPattern === undefined
    ? []
    : [
        {
          http: { url: page.url },
          ...who,
          note: 'The page of the user has a text that nobody else is shown; it is remembered.',
          expect: [claim('status', 'equals', '200'), claim('body', 'contains', page.marker)],
          capture: [{ name: 'own', subject: 'body', pattern: ownPattern, secret: true }],
        },
      ];

/** Another client asks, with nothing but a token. @param token its value, or a reference to it */
export const openStep = (page: MarkedPage, opening: TokenOpening, token: string, note: string): Step => ({
  http: { url: opening.url, headers: carried(opening.carrier, token) },
  note,
  expect: [claim('status', 'equals', '200'), openedClaim(page, opening)],
});

const openedClaim = ({ marker }: MarkedPage, { ownPattern }: TokenOpening): Assertion =>
  ownPattern === undefined
    ? claim('body', 'contains', marker, 'What only the logged-in user is shown.')
    : claim('body', 'contains', '‹own›', 'The text that only this user is shown.');
