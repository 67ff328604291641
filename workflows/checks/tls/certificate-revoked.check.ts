import { claim } from '../../model/experiment.ts';
import type { TlsServer } from '../../model/tls-hello.ts';
import { defineCheck } from '../contract.ts';
import { askedForStaple } from './staples.ts';
import { handshakeExperiment, judgeServers } from './tls-servers.ts';

/** A server staples the response by which its own certificate is revoked. Source: RFC 6960 §2.2, RFC 6066 §8. */
export const certificateRevoked = defineCheck<TlsServer>({
  id: 'tls.certificate-revoked',
  title: 'Revoked TLS certificate',
  cwe: 299,
  owasp: 'A04:2025',
  // Clients that look at the response are stopped; that somebody has the key is not shown.
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:L',
  depth: 'standard',
  risk: 'safe',

  detect: (context) =>
    judgeServers<object>(context, async ({ leaf, server }) =>
      (await askedForStaple(context, server))?.staple === 'revoked'
        ? {
            detail: `The server itself sends a response of OCSP by which the certificate for ${leaf.subject} is revoked.`,
            data: {},
          }
        : undefined,
    ),

  confirm: (_context, { data }) =>
    data &&
    handshakeExperiment(
      data,
      {
        note: 'The response of OCSP that the server sends along says that the certificate is revoked.',
        expect: [claim('tls:staple', 'equals', 'revoked')],
      },
      { note: 'A response by which a certificate is good is not taken for one that revokes it.' },
    ),

  explain: {
    description:
      'Whoever issued the certificate has taken it back before its end, and says so by OCSP; the server passes that response on with every handshake. What the server sends along is all that was looked at: no responder and no revocation list was asked.',
    impact:
      'Browsers that look at the response stop visitors with an error page. Certificates are revoked because the key may be in other hands, or the holder lost the name: whoever has the key can pose as this site towards all clients that do not check revocation, which is most programs.',
    sends:
      'TLS handshakes that ask for a stapled OCSP response, with each TLS server of the host; no HTTP. The authority is not asked.',
    proves:
      'The OCSP response that the server sends says that its certificate is revoked; one by which a certificate is good does not. Who has the revoked key can pose as the site. That somebody has it is not shown.',
    remedy:
      'Find out why it was revoked: the authority writes to the contact of the account. Make a new key, never the old one again (`certbot renew --force-renewal --cert-name example.com --new-key`), install the new certificate on every server that has the old one and reload them; where the key was exposed, look for how, and at what else lay beside it.',
    references: [
      'RFC 6960 §2.2: https://www.rfc-editor.org/rfc/rfc6960#section-2.2',
      'RFC 6066 §8: https://www.rfc-editor.org/rfc/rfc6066#section-8',
      'CWE-299: https://cwe.mitre.org/data/definitions/299.html',
    ],
  },
});
