import type { Candidate } from '../../model/candidate.ts';
import { unlessLeftOut } from '../../probe/errors.ts';
import { defineCheck, notApplicable } from '../contract.ts';
import { corsPlaces, originExperiment, trusts, uncached, visitorsPlace } from '../sessions/cors.ts';

/** Answers with credentials may be read by the origin "null", which every page can have. Source: Fetch Standard §3.3, CWE-942. */
export const nullOriginTrusted = defineCheck({
  id: 'cors.null-origin-trusted',
  title: 'CORS: null origin trusted with credentials',
  cwe: 942,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  visitors: 'each',

  async detect(context) {
    const { http, nonce } = context;
    const places = corsPlaces(context, context.surface);
    if (places.length === 0) return notApplicable('No address gave an answer to look at.');
    const candidates: Candidate[] = [];
    for (const url of places) {
      const exchange = await unlessLeftOut(() => http.get(uncached(url, nonce()), { headers: [['Origin', 'null']] }));
      if (exchange && trusts(exchange, 'null')) candidates.push(visitorsPlace(context, url));
    }
    return candidates;
  },

  confirm: (_context, { location }) =>
    originExperiment(location.url, 'null', 'The origin "null" may read the answer, with credentials.'),

  explain: {
    description:
      'The answer lets pages of the origin "null" read it, together with requests that carry cookies (Access-Control-Allow-Origin: null, Access-Control-Allow-Credentials: true). Every page of the internet can act under this origin: a frame with the sandbox attribute or a data: address has it.',
    impact:
      'A hostile page that a visitor opens asks the site with their cookies and reads the answer: whatever the address shows them, and the tokens with which their session can be used further. Where the session cookie is SameSite=Lax or Strict, the browser leaves it out of such requests; sessions with SameSite=None, HTTP authentication and client certificates are exposed.',
    sends:
      'Requests up to 40 addresses, one for each part of the site, with `Origin: null` and a random parameter that keeps the answer out of caches.',
    proves:
      'The answer allows the origin `null`, which any page can have, with credentials; an unrelated origin is not allowed. Shows a configuration; no answer to a logged-in user was read. Info where the site knows no visitors.',
    remedy:
      'Compare Origin with a list of whole origins, and take "null" out of it; it most often came in to try things from a local file. Express: `cors({ origin: ["https://app.example.com"], credentials: true })`. Spring: `allowedOrigins("https://app.example.com")`. nginx: `map $http_origin $cors { "https://app.example.com" $http_origin; }`. Answer other origins without Access-Control headers, and send `Vary: Origin`.',
    references: [
      'Fetch Standard, CORS: https://fetch.spec.whatwg.org/#http-cors-protocol',
      'W3C, CORS for Developers, "null": https://w3c.github.io/webappsec-cors-for-developers/#avoid-returning-access-control-allow-origin-null',
      'WSTG-CLNT-07: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/11-Client-side_Testing/07-Testing_Cross_Origin_Resource_Sharing',
      'CWE-942: https://cwe.mitre.org/data/definitions/942.html',
    ],
  },
});
