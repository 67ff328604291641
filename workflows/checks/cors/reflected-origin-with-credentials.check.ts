import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment } from '../../model/experiment.ts';
import type { OwnSession } from '../../model/identity.ts';
import { unlessLeftOut } from '../../probe/errors.ts';
import { type CheckContext, defineCheck, notApplicable, notRun } from '../contract.ts';
import { sample } from '../inputs/at-most.ts';
import { corsPlaces, originPlace, trustsEveryone, uncached } from '../sessions/cors.ts';
import { crossSiteCookies } from '../sessions/cross-site-cookies.ts';
import { foreignOrigin, readsStep, refusedStep, siblingOrigin } from '../sessions/foreign-page.ts';
import { cookieHeader, type LoginIdentity, type MarkedPage, withOwnSession } from '../sessions/own-sessions.ts';
import { type OwnText, ownTextAt } from '../sessions/own-texts.ts';

type ReadableAnswer = {
  user: string;
  url: string;
  own: OwnText;
  /** Where the reading page is; a template with a nonce. */
  origin: string;
  /** An answer that does not let other origins read it. */
  closedUrl?: string;
};

/** Answers that are proven: whom to trust is a setting of the application, or of a part of it. */
const maxPlaces = 3;

/** From another origin of the site alone: whoever reads has to have one. Source: FIRST, CVSS v3.1, attack complexity. */
const sameSiteOnly = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:H/I:N/A:N';

/** Every origin may read what a user is shown, with the user's cookies. Source: Fetch Standard §3.3, CWE-942. */
export const reflectedOriginWithCredentials = defineCheck<ReadableAnswer>({
  id: 'cors.reflected-origin-with-credentials',
  title: 'CORS: any origin can read data of a logged-in user',
  cwe: 942,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:N/A:N',
  depth: 'deep',
  risk: 'safe',

  async detect(context) {
    const unavailable = await context.browser.unavailable();
    if (unavailable !== undefined) return notRun('browser_unavailable', unavailable);
    return withOwnSession<ReadableAnswer>(context, async (session, page, identity) => {
      if (session.jar.header(page.url) === '')
        return notApplicable('No cookie makes the session, so browsers do not send it for pages of other origins.');
      const candidates: Candidate<ReadableAnswer>[] = [];
      const places = corsPlaces(context, context.surfaces[identity.name] ?? context.surface);
      for (const [index, url] of places.entries()) {
        if (candidates.length === maxPlaces) {
          sample(context, places, index, 'addresses', 'the weakness was seen at some of them');
          break;
        }
        const found = await unlessLeftOut(() => readableAt(context, { session, page, identity }, url));
        if (found) candidates.push(candidateFor(found));
      }
      return candidates;
    });
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  gives: {
    kinds: ['cross-origin-read'],
    facts: ({ data }) =>
      data ? [{ kind: 'cross-origin-read', subject: data.url, attributes: { identity: data.user } }] : [],
  },

  explain: {
    description:
      'The server repeats whatever the Origin header says in Access-Control-Allow-Origin, and allows credentials, in an answer with data of the logged-in user. That makes the browser show it to scripts of every origin. A browser with a session was given a page of another origin, and a script in it read the text of the user.',
    impact:
      'A page of the attacker reads what the user sees, and tokens with which their session can be used further, while they look at it. How near the page has to be depends on the session cookie: with SameSite=None every site on the web will do; with Lax, Strict or none, it takes another origin of the same site, such as a forgotten subdomain that was taken over or has a scripting mistake.',
    sends:
      'Logs a test identity in, requests its addresses with a random `Origin`, and opens a page of another origin in a browser with the session.',
    proves:
      'In a real browser a page of a foreign origin, or of a sibling host or port where cookies are SameSite, reads a text that only the user is shown; without the session it does not. An attacker’s page reads the user’s data.',
    remedy:
      'Compare Origin as a whole with a list, and answer others without Access-Control headers: Express `cors({ origin: ["https://app.example.com"], credentials: true })` (not `origin: true`), Spring `allowedOrigins("https://app.example.com")` (not `allowedOriginPatterns("*")`), Django `CORS_ALLOWED_ORIGINS` (not `CORS_ALLOW_ALL_ORIGINS`), ASP.NET Core `WithOrigins(…)` (not `SetIsOriginAllowed(_ => true)`), nginx `map $http_origin $cors { "https://app.example.com" $http_origin; }`. Send `Vary: Origin`, and no Access-Control-Allow-Credentials where public data is served.',
    references: [
      'Fetch Standard, CORS: https://fetch.spec.whatwg.org/#http-cors-protocol',
      'OWASP API8:2023 Security Misconfiguration: https://owasp.org/API-Security/editions/2023/en/0xa8-security-misconfiguration/',
      'WSTG-CLNT-07: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/11-Client-side_Testing/07-Testing_Cross_Origin_Resource_Sharing',
      'CWE-942: https://cwe.mitre.org/data/definitions/942.html',
    ],
  },
});

type VisitorPage = { session: OwnSession; page: MarkedPage; identity: LoginIdentity };

async function readableAt(
  context: CheckContext,
  visitor: VisitorPage,
  url: string,
): Promise<ReadableAnswer | undefined> {
  const { session, page, identity } = visitor;
  if (!(await trustsEveryone(context, session, url))) return undefined;
  const own = await ownTextAt(context, identity, session, url);
  if (!own) return undefined;
  const origin = (await isShownAcrossSites(context, session, url, own)) ? foreignOrigin(url) : siblingOrigin(url);
  const isClosed = !(await trustsEveryone(context, session, page.url));
  return { user: identity.name, url, own, origin, ...(isClosed ? { closedUrl: page.url } : {}) };
}

/** Whether the cookies that browsers send from other sites are enough to be shown the text. */
async function isShownAcrossSites(
  { http }: CheckContext,
  { jar }: OwnSession,
  url: string,
  { text }: OwnText,
): Promise<boolean> {
  const cookies = crossSiteCookies(jar, url);
  if (cookies.length === 0) return false;
  const answer = await http.get(url, { headers: [['Cookie', cookieHeader(cookies)]], fresh: true });
  return answer.text.includes(text);
}

const isOfOtherSite = ({ origin }: ReadableAnswer): boolean => origin.endsWith('.invalid');

const candidateFor = (data: ReadableAnswer): Candidate<ReadableAnswer> => ({
  ...originPlace(data.url),
  detail: isOfOtherSite(data)
    ? `A page of another site read a text that only "${data.user}" is shown.`
    : `A page of another origin of the same site read a text that only "${data.user}" is shown; cookies of this session are not sent from other sites.`,
  ...(isOfOtherSite(data) ? {} : { cvss: sameSiteOnly }),
  data,
});

function experimentFor(data: ReadableAnswer): Experiment {
  const { user, origin, own, closedUrl } = data;
  const url = uncached(data.url, '‹nonce3›');
  const stranger = 'https://‹nonce2›.invalid';
  const visit = { origin, url, identity: user };
  return {
    steps: [
      {
        http: { url, headers: [['Origin', stranger]] },
        identity: user,
        note: 'The answer to the user may be read by an origin that nobody has ever heard of. A text of it is remembered.',
        expect: [
          claim('status', 'equals', '200'),
          claim('headers:access-control-allow-origin', 'equals', stranger),
          claim('headers:access-control-allow-credentials', 'equals', 'true'),
        ],
        capture: [{ name: 'private', subject: 'body', pattern: own.pattern, secret: true }],
      },
      readsStep(
        { ...visit, note: 'In the browser of the user, a page of another origin reads that text.' },
        '‹private›',
      ),
    ],
    control: [
      ...(closedUrl === undefined
        ? []
        : [
            refusedStep({
              ...visit,
              url: closedUrl,
              note: 'The browser keeps an answer without these headers from the same page.',
            }),
          ]),
      readsStep({ origin, url, note: 'Without the session the page does not read the text.' }, '‹private›'),
    ],
  };
}
