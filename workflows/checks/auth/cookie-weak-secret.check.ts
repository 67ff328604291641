import { randomBytes } from 'node:crypto';
import type { Candidate } from '../../model/candidate.ts';
import type { HttpAction } from '../../model/experiment.ts';
import type { Identity } from '../../model/identity.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { raisedValues } from '../decisions/client-values.ts';
import { type OpenedPage, openedBy, openedExperiment } from '../decisions/opened-page.ts';
import { refusedPages } from '../decisions/refused-page.ts';
import { unlinkedPages } from '../decisions/unlinked-pages.ts';
import { likeliest } from '../inputs/at-most.ts';
import { cookieAnswers } from '../sessions/find-sessions.ts';
import { cookieHeader, type MarkedPage, markedPage, openedClaims } from '../sessions/own-sessions.ts';
import { parseSetCookie } from '../sessions/set-cookie.ts';
import { guessSecret } from './guess-secret.ts';
import { jwtCookies } from './jwt-cookies.ts';
import type { CookieValue, SignedCookie } from './signed-cookie.ts';
import { signedCookies } from './signed-cookies.ts';

/** Cookies that somebody was given, with one among them that is signed. */
type GivenCookie = { cookie: SignedCookie; others: CookieValue[]; url: string; identity?: Identity };
type GuessedSession = { own: { page: MarkedPage; request: HttpAction; unsigned: HttpAction } } | { opened: OpenedPage };

const maxPages = 4;

/** A session that is kept in a signed cookie, whose key is guessed from a list without a request. Source: CWE-1391, WSTG-SESS-02. */
export const cookieWeakSecret = defineCheck<GuessedSession>({
  id: 'auth.cookie-weak-secret',
  title: 'Session cookie signed with a weak secret',
  cwe: 1391,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  depth: 'deep',
  risk: 'safe',
  cost: 12,

  async detect(context) {
    const given = givenCookies(context);
    if (given.length === 0) return notApplicable('No cookie is a signed session that its content is kept in.');
    // All sessions of a site are signed alike: a list that has no key for one has none for the others.
    const alike = [...Map.groupBy(given, ({ cookie }) => `${cookie.maker} ${cookie.name}`).values()];
    for (const group of alike) {
      const [first] = group;
      const guessed =
        first && (await guessSecret(context, [], (secret) => first.cookie.isSignedWith(secret) || undefined));
      if (!guessed) continue;
      for (const each of group) {
        const found = each.identity
          ? await ownSession(context, each, each.identity, guessed.secret)
          : await raisedSession(context, each, guessed.secret);
        if (found) return [candidateFor(each, found, guessed.secret)];
      }
    }
    return [];
  },

  confirm(_context, { data }) {
    if (!data) return undefined;
    if ('opened' in data)
      return openedExperiment(data.opened, 'The same content with a signature of another key is refused.');
    const { page, request, unsigned } = data.own;
    return {
      steps: [
        {
          http: request,
          note: 'A session that we signed with the guessed key opens the account that is named in it.',
          expect: openedClaims(page),
        },
      ],
      control: [
        {
          http: unsigned,
          note: 'The same session signed with another key does not: the signature is verified.',
          expect: openedClaims(page),
        },
      ],
    };
  },

  explain: {
    description:
      'The session is kept in the cookie and protected by a signature alone, and the key for it is a common word or an example from documentation. It was found by trying a list on a cookie of our own, on our computer; a session that was signed with it was then accepted.',
    impact:
      'Everybody finds the key in seconds, unseen, and then writes sessions in the name of any user and with any right.',
    sends:
      'Guesses the key of a signed cookie (Flask, Django, Express, Rack and the like) from a list without any request, then requests a test user’s page with a session that was signed here; without users, refused pages with one that says that its sender may see them.',
    proves:
      'A session signed with the guessed key opens the account, or a page that is refused otherwise, twice; the same one signed with a random key does not. An attacker signs sessions with any content.',
    remedy:
      'Make a key of at least 32 random bytes, `python3 -c "import secrets; print(secrets.token_hex(32))"`, and give it to the program from a secret store or its environment, with no fallback in the code. All sessions signed before become worthless, which is wanted. Keep what decides on rights on the server.',
    references: [
      'CWE-1391: https://cwe.mitre.org/data/definitions/1391.html',
      'Flask, SECRET_KEY: https://flask.palletsprojects.com/en/stable/config/#SECRET_KEY',
      'WSTG-SESS-02: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/06-Session_Management_Testing/02-Testing_for_Cookies_Attributes',
    ],
  },
});

/** Those of the identities first, whose account shows what a session is worth. */
function givenCookies({ surface, identities, now }: CheckContext): GivenCookie[] {
  const split = (
    signed: readonly SignedCookie[],
    cookies: readonly CookieValue[],
    url: string,
    identity?: Identity,
  ): GivenCookie[] =>
    signed.map((cookie) => ({
      ...{ cookie, url },
      others: cookies.filter(({ name }) => name !== cookie.name && name !== `${cookie.name}.sig`),
      ...(identity && { identity }),
    }));
  const ofUsers = Object.values(identities).flatMap((identity) => {
    const cookies = identity.jar.all();
    return split(signedCookies(cookies, now), cookies, identity.checkUrl, identity);
  });
  const sessions = new Set(Object.values(identities).flatMap(({ jar }) => jar.all().map(({ name }) => name)));
  const ofPages = cookieAnswers(surface).flatMap(({ url, setCookies }) => {
    const cookies = setCookies.flatMap((line) => parseSetCookie(line) ?? []);
    // Tokens of users are looked at by \`auth.jwt-weak-secret\`.
    const tokens = jwtCookies(cookies).filter(({ name }) => !sessions.has(name));
    return split([...signedCookies(cookies, now), ...tokens], cookies, url);
  });
  return [...ofUsers, ...ofPages];
}

const withSession = (
  url: string,
  { others }: GivenCookie,
  own: readonly CookieValue[],
  headers: readonly (readonly [string, string])[] = [],
): HttpAction => ({
  url,
  headers: [...headers, ['Cookie', cookieHeader([...others, ...own])]],
  secrets: own.map(({ value }) => value),
});

const otherKey = (): string => randomBytes(24).toString('hex');

async function ownSession(context: CheckContext, given: GivenCookie, identity: Identity, secret: string) {
  const page = await markedPage(context, identity);
  if (!page) return undefined;
  const send = (key: string) => withSession(page.url, given, given.cookie.signed(key), identity.headers);
  return { own: { page, request: send(secret), unsigned: send(otherKey()) } };
}

/** What refuses a visitor, opened by a session that says that its sender may see it. */
async function raisedSession(
  context: CheckContext,
  given: GivenCookie,
  secret: string,
): Promise<{ opened: OpenedPage } | undefined> {
  const { cookie, url } = given;
  if (cookie.json === undefined) return undefined;
  const raised = raisedValues(cookie.name, cookie.json);
  if (raised.length === 0) return undefined;
  const headers = raised.map(({ value }) => withSession(url, given, cookie.signed(secret, value)).headers ?? []);
  const own = [await context.http.get(url)];
  const pages = [
    ...(await refusedPages(context)).map(({ request }) => request.url),
    ...(await unlinkedPages(context, own, headers)),
  ];
  for (const page of likeliest(context, [...new Set(pages)], maxPages, 'refused pages'))
    for (const { what, value } of raised) {
      const opened = await openedBy(
        context,
        {
          what,
          refused: withSession(page, given, cookie.signed(secret)),
          changed: withSession(page, given, cookie.signed(secret, value)),
          twin: withSession(page, given, cookie.signed(otherKey(), value)),
        },
        { elsewhere: own },
      );
      if (opened) return { opened };
    }
  return undefined;
}

const candidateFor = (
  { cookie, url }: GivenCookie,
  data: GuessedSession,
  secret: string,
): Candidate<GuessedSession> => ({
  location: {
    url: 'own' in data ? data.own.page.url : url,
    method: 'GET',
    parameter: cookie.name,
    parameterIn: 'cookie',
  },
  // The key is one for the site, whatever page reads the session.
  route: '/',
  detail: `The key of the ${cookie.maker} session was found; it has ${secret.length} characters.`,
  data,
});
