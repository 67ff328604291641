import { claim } from '../../model/experiment.ts';
import type { TlsServer } from '../../model/tls-hello.ts';
import { defineCheck } from '../contract.ts';
import { handshakeExperiment, judgeServers } from './tls-servers.ts';

/** `isOwn`: it is the certificate of the server itself, and not one above it. */
type Expired = TlsServer & { isOwn: boolean };

/** A server presents a certificate whose validity, or that of one that it relies on, has ended. Source: RFC 5280 §4.1.2.5 and §6.1.3. */
export const certificateExpired = defineCheck<Expired>({
  id: 'tls.certificate-expired',
  title: 'Expired TLS certificate',
  cwe: 324,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:L',
  depth: 'standard',
  risk: 'safe',

  detect: (context) =>
    judgeServers<Pick<Expired, 'isOwn'>>(context, ({ handshake: { path, authorizationError }, leaf }) => {
      const isPast = ({ validTo }: { validTo: string }) => Date.parse(validTo) < context.now().getTime();
      if (isPast(leaf))
        return {
          detail: `The certificate for ${leaf.subject} was valid until ${leaf.validTo}.`,
          data: { isOwn: true },
        };
      // Clients know other ways to an authority than those that were sent, so OpenSSL has to have met it, too.
      if (!path || !isPast(path) || authorizationError !== 'CERT_HAS_EXPIRED') return undefined;
      const above = path.certificates.find(({ validTo }) => validTo === path.validTo);
      return {
        detail: `The certificate for ${leaf.subject} relies on that of ${above?.subject}, which was valid until ${path.validTo}.`,
        data: { isOwn: false },
      };
    }),

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const subject = data.isOwn ? 'tls:certificate.validTo' : 'tls:path.validTo';
    return handshakeExperiment(
      data,
      {
        note: 'The validity of the certificate that the server presents, or of one above it, lies in the past.',
        expect: [claim(subject, 'before', 'now', 'The end of its validity has passed.')],
      },
      { note: 'A certificate that was made for this name a moment ago is not taken for an expired one.' },
    );
  },

  explain: {
    description:
      'The server presents a certificate whose "not after" date is in the past. Clients have to reject it: nobody vouches any longer that the key belongs to this name, and certification authorities stop publishing revocations for it.',
    impact:
      'Browsers stop visitors with a full-page warning, and programs that verify certificates fail altogether. Whoever learns to click the warning away will also accept the certificate of somebody who sits in between.',
    sends: 'One TLS handshake with each TLS server of the host; no HTTP.',
    proves:
      'The certificate, or one that it relies on, ended before now; a certificate made for this name a moment ago is not taken for expired. Clients refuse the site. Shows a configuration; no attack was made.',
    remedy:
      'Renew the certificate and reload the server (an intermediate certificate that has expired is replaced by its newer edition, which the authority publishes), then automate it, so that it cannot happen again: for instance `certbot renew --deploy-hook "systemctl reload nginx"` from a daily timer, or the ACME support of the server itself (Caddy, Traefik, nginx with ACME). Watch the expiry date from outside and alert at 14 days.',
    references: [
      'RFC 5280 §4.1.2.5: https://www.rfc-editor.org/rfc/rfc5280#section-4.1.2.5',
      'RFC 8555 (ACME): https://www.rfc-editor.org/rfc/rfc8555',
      'CWE-324: https://cwe.mitre.org/data/definitions/324.html',
      'WSTG-CRYP-01: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/01-Testing_for_Weak_Transport_Layer_Security',
    ],
  },
});
