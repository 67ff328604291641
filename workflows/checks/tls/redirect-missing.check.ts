import { claim } from '../../model/experiment.ts';
import { defineCheck, notApplicable } from '../contract.ts';
import { plainPage } from './plain-page.ts';

type UnredirectedPage = { url: string; secureUrl: string; header: string };

/** A site that has HTTPS shows its pages over http all the same. Source: RFC 9325 §3.2, RFC 6797 §7.2. */
export const redirectMissing = defineCheck<UnredirectedPage>({
  id: 'tls.redirect-missing',
  title: 'No redirect from HTTP to HTTPS',
  cwe: 319,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect({ surface, http, tls }) {
    const plain = surface.origins.find(({ scheme }) => scheme === 'http');
    const secure = surface.origins.find(({ scheme }) => scheme === 'https');
    if (!plain) return notApplicable('The host does not answer over http.');
    if (!secure) return notApplicable('The host does not answer over HTTPS, so there is nothing to redirect to.');
    if (secure.status >= 500) return notApplicable('HTTPS answers with an error, so there is nothing to redirect to.');
    const page = await plainPage(http, plain);
    if (!page) return [];
    const { authorizationError } = await tls.handshake({ host: secure.host, port: secure.port });
    // Sending people to a certificate that their browser refuses would help nobody; that weakness goes first.
    if (authorizationError !== '')
      return notApplicable(`The certificate is refused (${authorizationError}), so there is nothing to redirect to.`);
    const header = page.headers[0]?.[0].toLowerCase();
    if (header === undefined) return [];
    const { url } = page.request;
    return [{ location: { url }, route: '/', data: { url, secureUrl: `${secure.origin}/`, header } }];
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const { url, secureUrl, header } = data;
    return {
      steps: [
        {
          http: { url: secureUrl },
          note: 'The host does answer over HTTPS.',
          expect: [claim('status', 'less-than', '500')],
        },
        {
          http: { url },
          note: 'Over http it shows a page instead of a redirect.',
          expect: [claim('status', 'matches', '^2'), claim('header:location', 'absent')],
        },
      ],
      control: [
        {
          http: { url },
          note: 'A header that the same answer has is not taken for absent.',
          expect: [claim(`header:${header}`, 'absent')],
        },
      ],
    };
  },

  explain: {
    description:
      'The host answers over HTTPS, but whoever comes over http (an old link, a bookmark, the bare name typed in) is shown the page in the clear instead of being sent to HTTPS.',
    impact:
      'Such visitors stay on http for their whole visit without noticing. Everybody on the way (an open Wi-Fi, a hostile router) reads what they look at and send, and can change the pages.',
    sends: 'Requests the home page over http and over HTTPS, and makes one TLS handshake.',
    proves:
      'The host answers over HTTPS with a certificate that is accepted, and shows its page over http without a redirect; a header of the same answer is not taken for absent. Shows a configuration; no traffic was intercepted.',
    remedy:
      'Answer every request on port 80 with a permanent redirect to the same path over HTTPS. nginx: `server { listen 80; server_name example.com; return 301 https://$host$request_uri; }`. Apache: `Redirect permanent / https://example.com/`. IIS: URL Rewrite with {HTTPS} off. Caddy does it by itself; hosting companies and CDNs offer it as a switch ("Always Use HTTPS"). Then add Strict-Transport-Security, so that browsers do not ask over http again.',
    references: [
      'RFC 9325 §3.2: https://www.rfc-editor.org/rfc/rfc9325#section-3.2',
      'RFC 6797 §7.2: https://www.rfc-editor.org/rfc/rfc6797#section-7.2',
      'CWE-319: https://cwe.mitre.org/data/definitions/319.html',
      'WSTG-CRYP-03: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/03-Testing_for_Sensitive_Information_Sent_via_Unencrypted_Channels',
    ],
  },
});
