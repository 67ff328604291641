import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import type { OwnSession } from '../../model/identity.ts';
import type { Surface } from '../../model/surface.ts';
import { isLeftOut } from '../../probe/errors.ts';
import { calledWith } from '../../probe/jsonp.ts';
import { type CheckContext, defineCheck, notApplicable, notRun } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { uncached } from '../sessions/cors.ts';
import { crossSiteCookies } from '../sessions/cross-site-cookies.ts';
import { foreignOrigin, siblingOrigin } from '../sessions/foreign-page.ts';
import { withOwnSession } from '../sessions/own-sessions.ts';
import { type OwnText, ownTextAt } from '../sessions/own-texts.ts';

/** `origin` is that of the page that reads: a template with a nonce. */
type CalledAnswer = { user: string; url: string; parameter: string; own: OwnText; origin: string };

const maxPlaces = 12;
/** Name of the function in the page that reads. */
const reader = 'readByAnotherPage';
const parameters = /^(?:callback|jsonp|jsonpcallback|cb|json_?callback|func|function)$/i;

/** From another origin of the site alone: whoever reads has to have one. Source: FIRST, CVSS v3.1, attack complexity. */
const sameSiteOnly = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:H/I:N/A:N';

/** Data of a user is given to a function that any page may define. Source: CWE-346, WSTG-CLNT-13. */
export const jsonp = defineCheck<CalledAnswer>({
  id: 'cors.jsonp',
  title: 'JSONP hijacking: other sites can read data of a logged-in user',
  cwe: 346,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:N/A:N',
  depth: 'deep',
  risk: 'safe',
  cost: 20,

  async detect(context) {
    const unavailable = await context.browser.unavailable();
    if (unavailable !== undefined) return notRun('browser_unavailable', unavailable);
    return withOwnSession<CalledAnswer>(context, async (session, page, identity) => {
      if (session.jar.header(page.url) === '')
        return notApplicable('No cookie makes the session, so browsers do not send it for scripts of other origins.');
      const candidates: Candidate<CalledAnswer>[] = [];
      for (const place of placesIn(context, context.surfaces[identity.name] ?? context.surface)) {
        if (!(await calls(context, session, place.url))) continue;
        const own = await ownTextAt(context, context.identities[identity.name] ?? identity, session, place.url);
        if (!own) continue;
        const isSent = crossSiteCookies(session.jar, place.url).length > 0;
        const origin = isSent ? foreignOrigin(place.url) : siblingOrigin(place.url);
        if (origin !== undefined) candidates.push(candidateFor({ user: identity.name, ...place, own, origin }));
      }
      return candidates;
    });
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'An answer with data of the logged-in user is a script that gives them to a function whose name the request chooses (JSONP). Scripts of any origin may be part of a page, with the user’s cookies. In a browser with a session, a page of another origin read a text of the user so.',
    impact:
      'A page of the attacker reads what the user is shown there while they look at it. How near the page has to be depends on the session cookie: with SameSite=None every site on the web will do; otherwise it takes another origin of the same site.',
    sends:
      'Logs a test identity in, asks up to 12 addresses of scripts and JSON with the name of a function as `callback`, and opens a page of another origin in a browser with the session.',
    proves:
      'In a real browser a page of a foreign origin, or of a sibling host where cookies are SameSite, shows a text that only the user is shown; without the session it does not. An attacker’s page reads the user’s data.',
    remedy:
      'Answer with JSON (`application/json`) and no callback, and let origins that need it read it by CORS with a list (`res.json`, not `res.jsonp`). Set SameSite=Lax on the session cookie.',
    references: [
      'CWE-346: https://cwe.mitre.org/data/definitions/346.html',
      'WSTG-CLNT-13: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/11-Client-side_Testing/13-Testing_for_Cross_Site_Script_Inclusion',
    ],
  },
});

type CalledPlace = Pick<CalledAnswer, 'url' | 'parameter'>;

/** Scripts and JSON of the site, with our function where they have one of their own, or as `callback`. */
function placesIn(context: CheckContext, { pages }: Surface): CalledPlace[] {
  const readable = pages.filter(
    ({ status, contentType, url }) =>
      status === 200 && (/json/i.test(contentType) || (/javascript/i.test(contentType) && url.includes('?'))),
  );
  return likeliest(context, readable, maxPlaces, 'scripts and JSON').map(({ url: address }) => {
    const url = new URL(address);
    const parameter = [...url.searchParams.keys()].find((name) => parameters.test(name)) ?? 'callback';
    url.searchParams.set(parameter, reader);
    return { url: url.href, parameter };
  });
}

async function calls({ http }: CheckContext, { jar, headers }: OwnSession, url: string): Promise<boolean> {
  try {
    const { status, text } = await http.get(url, { jar, headers, fresh: true });
    return status === 200 && calledWith(text)?.name === reader;
  } catch (error) {
    if (isLeftOut(error)) return false;
    throw error;
  }
}

const candidateFor = (data: CalledAnswer): Candidate<CalledAnswer> => {
  const isForeign = data.origin.endsWith('.invalid');
  return {
    location: { url: data.url, method: 'GET', parameter: data.parameter, parameterIn: 'query' },
    detail: isForeign
      ? `A page of another site read a text that only "${data.user}" is shown.`
      : `A page of another origin of the same site read a text that only "${data.user}" is shown; cookies of this session are not sent from other sites.`,
    ...(isForeign ? {} : { cvss: sameSiteOnly }),
    data,
  };
};

const pageThatCalls = (url: string): string => `<!doctype html>
<title>A page of another origin</title>
<pre id="answer"></pre>
<script>
  function ${reader}(data) { answer.textContent = JSON.stringify(data); }
</script>
<script src="${url.replaceAll('&', '&amp;').replaceAll('"', '%22')}"></script>
`;

function experimentFor({ user, url, own, origin }: CalledAnswer): Experiment {
  // Under a new name each time: a script that was fetched before may be taken from a cache.
  const reads = (note: string, place: string, identity: { identity?: string }): Step => ({
    browser: { url: `${origin}/`, page: pageThatCalls(uncached(url, place)) },
    ...identity,
    note,
    expect: [claim('browser:html', 'contains', '‹private›', 'What the page was shown.')],
  });
  return {
    steps: [
      {
        http: { url },
        identity: user,
        note: 'The answer to the user is a script that calls a function of our choice. A text of it is remembered.',
        expect: [claim('status', 'equals', '200')],
        capture: [{ name: 'private', subject: 'body', pattern: own.pattern, secret: true }],
      },
      reads('In the browser of the user, a page of another origin has that function, and shows the text.', '‹nonce3›', {
        identity: user,
      }),
    ],
    control: [reads('Without the session the page does not read the text.', '‹nonce4›', {})],
  };
}
