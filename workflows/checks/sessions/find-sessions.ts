import type { Candidate } from '../../model/candidate.ts';
import { type Assertion, claim, type Experiment, type Subject } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { GivenCookies, Surface } from '../../model/surface.ts';
import { escapePattern } from '../../proof/pattern.ts';
import type { CheckContext } from '../contract.ts';
import { isCertain, isSession, type SessionSignal, signalsOf } from './session-cookie.ts';
import { isDeletion, isRefused, parseSetCookie, type SetCookie } from './set-cookie.ts';

/** A session cookie, and an address whose answer sets it. */
export type FoundSession = { url: string; cookie: SetCookie; signals: ReadonlySet<SessionSignal> };

/** What the experiments on a cookie need of it. */
export type CookiePlace = { url: string; name: string };

/** The first look at an origin counts too: whoever has a session already is not given another one. So do answers to forms. */
export function cookieAnswers({ origins, pages, givenCookies = [] }: Surface): GivenCookies[] {
  const first = origins.map(({ origin, headers }) => ({
    url: `${origin}/`,
    setCookies: headers.filter(([name]) => name.toLowerCase() === 'set-cookie').map(([, value]) => value),
  }));
  return [...first, ...pages, ...givenCookies];
}

/**
 * Session cookies among those that a check is about, each name once. Costs at most three requests for each that cannot be
 * identified by its line alone.
 */
export async function findSessions(
  context: CheckContext,
  isWanted: (url: string, cookie: SetCookie) => boolean,
): Promise<FoundSession[]> {
  const firstOf = new Map<string, { url: string; cookie: SetCookie }>();
  for (const { url, setCookies } of cookieAnswers(context.surface)) {
    const lines = setCookies.flatMap((line) => parseSetCookie(line) ?? []).filter((cookie) => !isRefused(cookie, url));
    // The last line of a name wins.
    for (const cookie of new Map(lines.map((line) => [line.name, line])).values()) {
      if (isDeletion(cookie, context.now()) || signalsOf(cookie) === undefined) continue;
      if (isWanted(url, cookie) && !firstOf.has(cookie.name)) firstOf.set(cookie.name, { url, cookie });
    }
  }
  const found: FoundSession[] = [];
  for (const { url, cookie } of firstOf.values()) {
    const signals = await allSignals(context, url, cookie);
    if (signals && isSession(signals)) found.push({ url, cookie, signals });
  }
  return found;
}

/** What is no session shows a habit. */
const habit = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:N/A:N';

/** @param more what is wrong with this cookie, when the check's own description does not say */
export const sessionPlace = ({ url, cookie, signals }: FoundSession, more = ''): Candidate<CookiePlace> => ({
  location: { url, parameter: cookie.name, parameterIn: 'cookie' },
  // A cookie belongs to the site, not to the page that happened to set it.
  route: '/',
  detail: `${reported(cookie.name, signals)}${more && ` ${more}`}`,
  ...(isCertain(cookie.name, signals) ? {} : { cvss: habit }),
  data: { url, name: cookie.name },
});

function reported(name: string, signals: ReadonlySet<SessionSignal>): string {
  const from = `as shown by: ${[...signals].join(', ')}`;
  return isCertain(name, signals)
    ? `The cookie "${name}" holds a session, ${from}.`
    : `The cookie "${name}" may hold a session, ${from}; it was not seen to open anything.`;
}

/** Claims on the line that sets a cookie; they do not hold of a cookie that the site does not set. */
export function cookieExperiment(
  { url, name }: CookiePlace,
  note: string,
  claimsOn: (subject: Subject) => Assertion[],
): Experiment {
  const isSet = (of: string) =>
    claim(`cookie:${of}`, 'matches', `^\\s*${escapePattern(of)}\\s*=\\s*[^;\\s]`, 'The cookie is set with a value.');
  return {
    steps: [{ http: { url }, note, expect: [isSet(name), ...claimsOn(`cookie:${name}`)] }],
    control: [
      {
        http: { url },
        note: 'The same is not seen of a cookie that the site does not set.',
        expect: [isSet('‹nonce›'), ...claimsOn('cookie:‹nonce›')],
      },
    ],
  };
}

/** Beside the line itself: is the value new for each visitor, and does the server distinguish its own from an invented one? */
async function allSignals(
  { http }: CheckContext,
  url: string,
  cookie: SetCookie,
): Promise<Set<SessionSignal> | undefined> {
  const signals = signalsOf(cookie);
  if (!signals || (isSession(signals) && isCertain(cookie.name, signals))) return signals;
  const issued = cookieIn(await http.get(url, { fresh: true }), cookie.name);
  if (issued === undefined) return signals;
  if (issued !== cookie.value) signals.add('new for each visitor');
  const back = await http.get(url, { fresh: true, headers: [['Cookie', `${cookie.name}=${issued}`]] });
  const invented = await http.get(url, { fresh: true, headers: [['Cookie', `${cookie.name}=${scrambled(issued)}`]] });
  const keepsItsOwn = [undefined, issued].includes(cookieIn(back, cookie.name));
  const replacesInvented = ![undefined, issued, scrambled(issued)].includes(cookieIn(invented, cookie.name));
  if (keepsItsOwn && replacesInvented) signals.add('known to the server');
  return signals;
}

function cookieIn(exchange: Exchange, name: string): string | undefined {
  return exchange
    .headerValues('set-cookie')
    .map(parseSetCookie)
    .findLast((cookie) => cookie?.name === name)?.value;
}

/** Another value of the same shape. */
const scrambled = (value: string): string =>
  value.replace(/[a-z0-9]/gi, (char) =>
    /\d/.test(char) ? String((Number(char) + 1) % 10) : char.toLowerCase() === 'a' ? 'b' : 'a',
  );
