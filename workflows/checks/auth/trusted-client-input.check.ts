import type { Candidate } from '../../model/candidate.ts';
import type { Exchange } from '../../model/http.ts';
import { partRoute } from '../../probe/program-parts.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { raisedValues } from '../decisions/client-values.ts';
import { answerTo, type OpenedPage, openedBy, openedExperiment, type PageChange } from '../decisions/opened-page.ts';
import { areRefusedAlike, isRefusing, refusedPages, rolesNamedBy } from '../decisions/refused-page.ts';
import { shownMore } from '../decisions/shown-more.ts';
import { unlinkedPages } from '../decisions/unlinked-pages.ts';
import { atMost, likeliest } from '../inputs/at-most.ts';
import { inputAction } from '../inputs/input-request.ts';
import { inParallel } from '../inputs/parallel.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import { cookieAnswers } from '../sessions/find-sessions.ts';
import { parseAnyJwt } from '../sessions/jwt.ts';
import { parseSetCookie } from '../sessions/set-cookie.ts';

type TriedPlace = Pick<Candidate, 'location' | 'route'>;
type TrustedPlace = { location: Candidate['location']; opened: OpenedPage };
/** A cookie as the browser keeps it, with those beside it, and the pages that its sender comes to. */
type Kept = { name: string; value: string; urls: string[]; others: { name: string; value: string }[] };

const maxCookies = 8;
const maxPages = 4;
/** Pages that are asked for with a raised cookie, to see where they lead then. */
const maxLeading = 6;
const maxInputs = 20;
/** A longer value of a session is masked. */
const maxPlain = 12;

/** What a visitor may see is decided by a value that the visitor's own browser sends. Source: CWE-807, WSTG-ATHN-04. */
export const trustedClientInput = defineCheck<TrustedPlace>({
  id: 'auth.trusted-client-input',
  title: 'Privilege escalation by a modified cookie or parameter',
  cwe: 807,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 8,

  async detect(context) {
    const cookies = atMost(context, keptCookies(context), maxCookies, 'cookies that say what their sender may do');
    const inputs = atMost(context, privilegeInputs(context), maxInputs, 'parameters that say what their sender may do');
    if (cookies.length + inputs.length === 0)
      return notApplicable('No cookie or parameter says what its sender may do.');
    const found: Candidate<TrustedPlace>[] = [];
    if (cookies.length > 0) {
      // A page that refuses everybody alike is no part of what this visitor alone is shown.
      const refused = await refusedPages(
        context,
        (context.shownBefore ?? []).flatMap(({ pages }) => pages),
      );
      for (const cookie of cookies) found.push(...(await openedByCookie(context, cookie, refused)));
    }
    for (const input of inputs) {
      const { url, method, parameter, in: place, sample, route } = input;
      const changes = raisedValues(parameter, sample).map(
        ({ what, value }): PageChange => ({
          what,
          refused: inputAction(input, sample),
          changed: inputAction(input, value),
          twin: inputAction(input, isWord(value) ? '‹nonce›' : sample),
        }),
      );
      const location = { url, method, parameter, parameterIn: place };
      const opened = await firstOpened(context, changes, { location, route });
      found.push(...(opened.length > 0 ? [] : await firstShowingMore(context, changes, { location, route })));
      const others = changes.filter(({ twin, refused }) => twin.url !== refused.url || twin.body !== refused.body);
      if (opened.length > 0 && (await areAllRefusedAlike(context, others))) found.push(...opened);
    }
    return found;
  },

  confirm: (_context, { data }) =>
    data &&
    openedExperiment(
      data.opened,
      'With the value that the site has given, or a word that it has not, the page is refused again.',
    ),

  explain: {
    description:
      'The site gives a cookie or a parameter that says who its visitor is or what they may do (`admin=0`, `role=user`, also in base64 or JSON), and believes it when it comes back changed.',
    impact: 'Anybody changes the value in their own browser and sees, and often does, what only others may.',
    sends:
      'Sends cookies and parameters about rights raised (`admin=1`, `role=admin`), in the site’s own encoding, in tokens (JWT) without a signature or under the old one, to pages that refused, at most 4 each, and those that sent them; for cookies also to newly linked and usual administrative pages.',
    proves:
      'The value that the site gave is refused, and the changed one is shown the page, twice; or the page shows private data, secrets or administration to it, and not to an invented word. An attacker reads that. Changes of what is merely displayed are no finding.',
    remedy:
      'Keep rights on the server, beside the session, and read them anew for each request. Where the client has to keep something, sign it and verify it (`express-session`, `cookie-session`, Django signed cookies, `Rack::Session::Cookie` with a secret), and never decide on rights by hidden fields or parameters.',
    references: [
      'CWE-807: https://cwe.mitre.org/data/definitions/807.html',
      'WSTG-ATHN-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/04-Authentication_Testing/04-Testing_for_Bypassing_Authentication_Schema',
      'WSTG-SESS-02: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/06-Session_Management_Testing/02-Testing_for_Cookies_Attributes',
    ],
  },
});

/** What sites call those who may do more, besides what refusals name and "admin". */
const usualRoles = ['administrator', 'manager', 'staff', 'moderator', 'superuser', 'root', 'owner'];

const isWord = (value: string): boolean => /^\p{L}+$/u.test(value);

/**
 * Whether the pages refuse whatever word they are sent as they refuse the site's own. One that says something else of each word is
 * about them: a list of roles, and of who has them.
 */
async function areAllRefusedAlike(context: CheckContext, changes: readonly PageChange[]): Promise<boolean> {
  for (const { refused, twin } of changes) {
    const [own, other] = [await answerTo(context, refused), await answerTo(context, twin)];
    if (!own || !other || !areRefusedAlike(own, other)) return false;
  }
  return true;
}

const privilegeInputs = ({ surface }: CheckContext) =>
  inputsToProbe(surface).filter(
    ({ parameter, sample, in: place, encoded }) =>
      place !== 'cookie' && !encoded && raisedValues(parameter, sample).length > 0,
  );

/** Cookies that say something of rights: those that pages gave to anybody, or those of the session that looks. */
function keptCookies(context: CheckContext): Kept[] {
  const { surface, visitor, identities } = context;
  const given: Kept[] =
    visitor === undefined
      ? cookieAnswers(surface).flatMap(({ url, setCookies }) => {
          const cookies = setCookies.flatMap((line) => parseSetCookie(line) ?? []).filter(({ value }) => value !== '');
          return cookies.map(({ name, value }) => ({
            ...{ name, value, urls: [url] },
            others: cookies.filter((other) => other.name !== name),
          }));
        })
      : (identities[visitor]?.jar.all() ?? []).map(({ name, value }) => ({
          name,
          value,
          // Where a login leads to, and what it opens, shows what only some of its users are led to.
          urls: [...new Set([surface.url, identities[visitor]?.checkUrl ?? surface.url, ...openedPages(surface)])],
          others: [],
        }));
  const privileged = given.filter(({ name, value }) => raisedValues(name, value).length > 0);
  const kept = [...new Map(privileged.map((cookie) => [`${cookie.name}=${cookie.value}`, cookie])).values()];
  return kept.map((cookie) => ({
    ...cookie,
    urls: likeliest(context, cookie.urls, maxLeading, 'pages that may lead others further'),
  }));
}

/** Pages of a session, one of each route. */
function openedPages({ pages }: CheckContext['surface']): string[] {
  const shown = pages.filter(({ status, contentType }) => status === 200 && /html/i.test(contentType));
  return [...new Map(shown.map(({ url }) => [partRoute(url), url])).values()];
}

async function openedByCookie(
  context: CheckContext,
  { name, value, urls, others }: Kept,
  refused: readonly Exchange[],
): Promise<Candidate<TrustedPlace>[]> {
  const header = (own: string): [string, string][] => [
    ['Cookie', [...others, { name, value: own }].map((each) => `${each.name}=${each.value}`).join('; ')],
  ];
  if (await isSessionToken(context, name, value)) return [];
  const usual = rolesFor(context, value);
  const own = await inParallel(urls, 2, (url) => context.http.get(url, { headers: header(value) }));
  const raisedCookies = raisedValues(name, value, usual).map((changed) => header(changed.value));
  const places = [
    ...new Set([
      ...own.filter(isRefusing).map(({ request }) => request.url),
      ...refused.map(({ request }) => request.url),
      ...(await unlinkedPages(context, own, raisedCookies)),
    ]),
  ];
  for (const place of likeliest(context, places, maxPages, 'refused pages')) {
    // What a session keeps may be more than what says of rights.
    const secrets = (own: string) => (context.visitor !== undefined && own.length > maxPlain ? { secrets: [own] } : {});
    const send = (own: string) => ({ url: place, headers: header(own), ...secrets(own) });
    const named = rolesNamedBy(await context.http.get(place, { headers: header(value) }));
    const changes = raisedValues(name, value, [...named, ...usual]).map(
      (changed): PageChange => ({
        what: changed.what,
        refused: send(value),
        changed: send(changed.value),
        twin: send(value),
      }),
    );
    const location = { url: place, method: 'GET', parameter: name, parameterIn: 'cookie' as const };
    const found = await firstOpened(context, changes, { location, route: '/' });
    if (found.length > 0) return found;
  }
  const other = context.nonce();
  for (const page of own.filter(({ status }) => status === 200)) {
    const roles = [...rolesNamedBy(page), ...usual];
    const send = (changed: string) => ({ url: page.request.url, headers: header(changed) });
    const changed = (to: readonly string[]) => raisedValues(name, value, to);
    const twins = new Map(
      changed([other]).flatMap((each) => (each.what.includes(other) ? [[placeOf(each), each]] : [])),
    );
    const changes = changed(roles).map((each): PageChange => {
      const twin = twins.get(placeOf(each))?.value ?? value;
      return { what: each.what, refused: send(value), changed: send(each.value), twin: send(twin) };
    });
    const location = { url: page.request.url, method: 'GET', parameter: name, parameterIn: 'cookie' as const };
    const found = await firstShowingMore(context, changes, { location, route: '/' });
    if (found.length > 0) return found;
  }
  return [];
}

/** Most sites verify their tokens and take none that was changed, whatever it says: those are sent as an administrator's alone. */
function rolesFor(context: CheckContext, value: string): readonly string[] {
  if (!parseAnyJwt(value)) return usualRoles;
  const text = `${usualRoles.length} usual roles were not tried in a token, but those that the site names`;
  context.leave({ code: 'guessed', count: usualRoles.length, text });
  return [];
}

const placeOf = ({ what }: { what: string }): string => what.replace(/ to "[^"]*"/, '');

/** A token that is the session itself: `auth.jwt-unsigned` and `auth.jwt-weak-secret` look at what its site verifies. */
async function isSessionToken(context: CheckContext, name: string, value: string): Promise<boolean> {
  const identity = context.visitor === undefined ? undefined : context.identities[context.visitor];
  if (!identity || !parseAnyJwt(value)) return false;
  const others = identity.jar.all().filter((cookie) => cookie.name !== name);
  const { status, text } = await context.http.get(identity.checkUrl, {
    headers: [...identity.headers, ['Cookie', others.map((cookie) => `${cookie.name}=${cookie.value}`).join('; ')]],
  });
  return status !== 200 || !text.includes(identity.marker);
}

const firstOpened = (context: CheckContext, changes: readonly PageChange[], place: TriedPlace) =>
  firstBy((change) => openedBy(context, change, { elsewhere: [] }), 'The page was shown', changes, place);
const firstShowingMore = (context: CheckContext, changes: readonly PageChange[], place: TriedPlace) =>
  firstBy((change) => shownMore(context, change), 'More of the page was shown', changes, place);

async function firstBy(
  look: (change: PageChange) => Promise<OpenedPage | undefined>,
  what: string,
  changes: readonly PageChange[],
  place: TriedPlace,
): Promise<Candidate<TrustedPlace>[]> {
  for (const change of changes) {
    const opened = await look(change);
    if (opened)
      return [{ ...place, detail: `${what} after ${change.what}.`, data: { location: place.location, opened } }];
  }
  return [];
}
