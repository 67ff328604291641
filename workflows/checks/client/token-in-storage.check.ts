import type { Experiment } from '../../model/experiment.ts';
import { defineCheck, notRun } from '../contract.ts';
import { findKeptToken, type KeptToken, keepStep, knownOf, sessionOf, startOf } from './kept-tokens.ts';
import { openStep, rememberStep } from './token-openings.ts';

/** Scripts keep a token that is the session in web storage. Source: CWE-922, WSTG-CLNT-12. */
export const tokenInStorage = defineCheck<KeptToken>({
  id: 'client.token-in-storage',
  title: 'Session token in web storage',
  cwe: 922,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:N',
  depth: 'deep',
  risk: 'safe',

  async detect(context) {
    const unavailable = await context.browser.unavailable();
    if (unavailable !== undefined) return notRun('browser_unavailable', unavailable);
    const found = await findKeptToken(context);
    if (!('opening' in found)) return found;
    const { identity, keptAt, place, opening } = found;
    const name = [place.entry, ...place.path.filter((step) => step !== null)].join('.');
    return [
      {
        location: { url: keptAt, parameter: place.entry },
        // A token belongs to the site, not to the page that happened to show it.
        route: '/',
        detail: `The entry "${name}" of ${place.area}Storage of "${identity.name}" alone opened ${new URL(opening.url).pathname} as this user, sent from elsewhere in the header ${opening.carrier.header}.`,
        data: found,
      },
    ];
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  gives: {
    kinds: ['stored-token'],
    facts: ({ data }) =>
      data
        ? [
            {
              kind: 'stored-token',
              subject: new URL(data.keptAt).origin,
              attributes: { identity: data.identity.name, area: data.place.area, entry: data.place.entry },
              secret: knownOf(data),
            },
          ]
        : [],
  },

  explain: {
    description:
      'Script of the site keeps the token with which it asks for the user’s data in localStorage or sessionStorage. Every script that runs on a page of the site can read it there, and it is all that another client needs to be the user.',
    impact:
      'One script that should not be there, through a cross-site scripting mistake, an advertisement or a library that was tampered with, sends the token to its author. They have the account on their own computer then, until the token ends, and what is kept in localStorage stays after the browser was closed, also for the next person at that computer.',
    sends:
      'Opens pages in a browser with the session of a test identity, and sends the stored token alone, in a header, to addresses of the site.',
    proves:
      'Another client with nothing but the token from web storage is answered as the user; with a random value it is not. An attacker whose script runs on the site takes the account. No script was injected.',
    remedy:
      'Let the session be a cookie that script cannot read, for the API as well: `Set-Cookie: __Host-session=…; Path=/; Secure; HttpOnly; SameSite=Lax`, with a token against forged requests; a small server of your own in front of the API (backend for frontend) keeps the tokens of OAuth. Where script has to have a token, keep it in a variable of a module or of a worker, make it valid for minutes, bind it to a key of the browser (DPoP, RFC 9449), and get the next one with a cookie that is HttpOnly. Take old entries out: `localStorage.removeItem("token")`.',
    references: [
      'CWE-922: https://cwe.mitre.org/data/definitions/922.html',
      'WSTG-CLNT-12: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/11-Client-side_Testing/12-Testing_Browser_Storage',
      'OWASP HTML5 Security Cheat Sheet, Local Storage: https://cheatsheetseries.owasp.org/cheatsheets/HTML5_Security_Cheat_Sheet.html#local-storage',
      'OAuth 2.0 for Browser-Based Applications: https://datatracker.ietf.org/doc/html/draft-ietf-oauth-browser-based-apps',
    ],
  },
});

function experimentFor(data: KeptToken): Experiment {
  const { identity, page, opening } = data;
  return {
    steps: [
      ...startOf(identity),
      ...rememberStep(page, opening, sessionOf(identity)),
      keepStep(data),
      openStep(page, opening, '‹kept›', 'Another client with nothing but that token is answered as the user.'),
    ],
    control: [
      openStep(page, opening, '‹nonce›', 'With another value in its place it is not: the token is what counts.'),
    ],
  };
}
