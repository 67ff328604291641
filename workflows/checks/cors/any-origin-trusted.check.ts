import type { Candidate } from '../../model/candidate.ts';
import type { Experiment } from '../../model/experiment.ts';
import { unlessLeftOut } from '../../probe/errors.ts';
import { defineCheck, notApplicable } from '../contract.ts';
import { corsPlaces, trusts, trustsClaims, uncached, visitorsPlace } from '../sessions/cors.ts';

/**
 * Answers repeat every origin and allow credentials. What users are shown is the subject of the deep check
 * `cors.reflected-origin-with-credentials`, which takes this one's place in a scan with identities. Source: Fetch Standard §3.3, CWE-942.
 */
export const anyOriginTrusted = defineCheck({
  id: 'cors.any-origin-trusted',
  title: 'CORS: any origin trusted with credentials',
  cwe: 942,
  owasp: 'A02:2025',
  // A configuration was shown: what it gives away depends on sessions that a standard scan has none of.
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    if (context.hasUsers) return notApplicable('The deep check reads the answers to users, with their sessions.');
    const places = corsPlaces(context, context.surface);
    if (places.length === 0) return notApplicable('No address gave an answer to look at.');
    const candidates: Candidate[] = [];
    for (const url of places) {
      const origin = `https://${context.nonce()}.example`;
      const asked = { headers: [['Origin', origin] as const] };
      const exchange = await unlessLeftOut(() => context.http.get(uncached(url, context.nonce()), asked));
      if (!exchange || !trusts(exchange, origin)) continue;
      candidates.push(visitorsPlace(context, url));
    }
    return candidates;
  },

  confirm: (_context, { location: { url } }) => experimentFor(url),

  explain: {
    description:
      'The server repeats whatever the Origin header says in Access-Control-Allow-Origin, and allows credentials. That makes the browser show the answer to scripts of every origin, also when the request carries cookies. It was seen in answers to somebody without a session; what users are shown was not looked at.',
    impact:
      'A hostile page that a visitor opens asks the site with their cookies and reads the answer: whatever the address shows them, and the tokens with which their session can be used further. Where the session cookie is SameSite=Lax or Strict, the page has to be on another origin of the same site; sessions with SameSite=None, HTTP authentication and client certificates are exposed to every site. Where nothing depends on cookies, nothing is lost.',
    sends:
      'Requests up to 40 addresses, one for each part of the site, with the `Origin` of a random host and a random parameter that keeps the answer out of caches.',
    proves:
      'The answer allows the random origin with credentials, and does not name it when no Origin is sent. Shows a configuration; no answer to a logged-in user was read. Info where the site knows no visitors.',
    remedy:
      'Compare Origin as a whole with a list, and answer others without Access-Control headers: Express `cors({ origin: ["https://app.example.com"], credentials: true })` (not `origin: true`), Spring `allowedOrigins("https://app.example.com")` (not `allowedOriginPatterns("*")`), Django `CORS_ALLOWED_ORIGINS` (not `CORS_ALLOW_ALL_ORIGINS`), nginx `map $http_origin $cors { "https://app.example.com" $http_origin; }`. Data that is public needs `Access-Control-Allow-Origin: *` without Access-Control-Allow-Credentials. Send `Vary: Origin`.',
    references: [
      'Fetch Standard, CORS: https://fetch.spec.whatwg.org/#http-cors-protocol',
      'OWASP API8:2023 Security Misconfiguration: https://owasp.org/API-Security/editions/2023/en/0xa8-security-misconfiguration/',
      'WSTG-CLNT-07: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/11-Client-side_Testing/07-Testing_Cross_Origin_Resource_Sharing',
      'CWE-942: https://cwe.mitre.org/data/definitions/942.html',
    ],
  },
});

function experimentFor(url: string): Experiment {
  const foreign = 'https://‹nonce›.example';
  const expect = trustsClaims(foreign);
  return {
    steps: [
      {
        http: { url: uncached(url, '‹nonce2›'), headers: [['Origin', foreign]] },
        note: 'An origin that nobody has ever heard of may read the answer, with credentials.',
        expect,
      },
    ],
    control: [
      {
        http: { url: uncached(url, '‹nonce3›') },
        note: 'Without an Origin header the answer does not name that one: it is repeated from there.',
        expect,
      },
    ],
  };
}
