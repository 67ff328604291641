import type { TlsServer } from '../../../probe/types.ts';
import { claim } from '../../../proof/experiment.ts';
import { defineCheck } from '../../contract.ts';
import { handshakeExperiment, judgeServers } from '../../support/tls-servers.ts';

type Expired = TlsServer & { validTo: string };

/** A server presents a certificate whose validity has ended. Source: RFC 5280 §4.1.2.5 and §6.1.3. */
export const certificateExpired = defineCheck<Expired>({
  id: 'tls.certificate-expired',
  title: 'The TLS certificate has expired',
  cwe: 324,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:L',
  depth: 'standard',
  risk: 'safe',

  detect: (context) =>
    judgeServers(context, ({ leaf }) =>
      Date.parse(leaf.validTo) < context.now().getTime()
        ? {
            detail: `The certificate for ${leaf.subject} was valid until ${leaf.validTo}.`,
            data: { validTo: leaf.validTo },
          }
        : undefined,
    ),

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const { validTo } = data;
    const inValidity = new Date(Date.parse(validTo) - 1_000).toISOString();
    return handshakeExperiment(
      data,
      {
        note: 'The validity of the certificate that the server presents lies in the past.',
        expect: [claim('tls:certificate.validTo', 'before', 'now', 'The end of its validity is over.')],
      },
      {
        note: 'The same certificate, judged one second before its end, is in its validity.',
        expect: [claim('tls:certificate.validTo', 'before', inValidity)],
      },
    );
  },

  explain: {
    description:
      'The server presents a certificate whose "not after" date is in the past. Clients have to reject it: nobody vouches any longer that the key belongs to this name, and certification authorities stop publishing revocations for it.',
    impact:
      'Browsers stop visitors with a full-page warning, and programs that verify certificates fail altogether. Whoever learns to click the warning away will also accept the certificate of somebody who sits in between.',
    remedy:
      'Renew the certificate and reload the server, then automate it, so that it cannot happen again: for instance `certbot renew --deploy-hook "systemctl reload nginx"` from a daily timer, or the ACME support of the server itself (Caddy, Traefik, nginx with ACME). Watch the expiry date from outside and alert at 14 days.',
    references: [
      'RFC 5280 §4.1.2.5: https://www.rfc-editor.org/rfc/rfc5280#section-4.1.2.5',
      'RFC 8555 (ACME): https://www.rfc-editor.org/rfc/rfc8555',
      'CWE-324: https://cwe.mitre.org/data/definitions/324.html',
      'WSTG-CRYP-01: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/01-Testing_for_Weak_Transport_Layer_Security',
    ],
  },
});
