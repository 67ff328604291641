import { claim } from '../../model/experiment.ts';
import type { TlsServer } from '../../model/tls-hello.ts';
import { defineCheck } from '../contract.ts';
import { handshakeExperiment, judgeServers } from './tls-servers.ts';

/** `isOwn`: it is the certificate of the server itself, and not one above it. */
type NotYetValid = TlsServer & { isOwn: boolean };

/** Clocks differ by as much: a certificate that begins within it is as good as valid. */
const toleranceMs = 10 * 60_000;

/** A server presents a certificate whose validity, or that of one that it relies on, has not begun. Source: RFC 5280 §4.1.2.5 and §6.1.3. */
export const certificateNotYetValid = defineCheck<NotYetValid>({
  id: 'tls.certificate-not-yet-valid',
  title: 'TLS certificate not yet valid',
  cwe: 295,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:L',
  depth: 'standard',
  risk: 'safe',

  detect: (context) =>
    judgeServers<Pick<NotYetValid, 'isOwn'>>(context, ({ handshake: { path, authorizationError }, leaf }) => {
      const isAhead = ({ validFrom }: { validFrom: string }) =>
        Date.parse(validFrom) > context.now().getTime() + toleranceMs;
      if (isAhead(leaf))
        return {
          detail: `The certificate for ${leaf.subject} is valid from ${leaf.validFrom}.`,
          data: { isOwn: true },
        };
      if (!path || !isAhead(path) || authorizationError !== 'CERT_NOT_YET_VALID') return undefined;
      const above = path.certificates.find(({ validFrom }) => validFrom === path.validFrom);
      return {
        detail: `The certificate for ${leaf.subject} relies on that of ${above?.subject}, which is valid from ${path.validFrom}.`,
        data: { isOwn: false },
      };
    }),

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const subject = data.isOwn ? 'tls:certificate.validFrom' : 'tls:path.validFrom';
    return handshakeExperiment(
      data,
      {
        note: 'The validity of the certificate that the server presents, or of one above it, begins in the future.',
        expect: [claim(subject, 'after', 'now', 'Its validity has not begun.')],
      },
      { note: 'A certificate for this name that is valid since yesterday is not taken for one that has yet to begin.' },
    );
  },

  explain: {
    description:
      'The server presents a certificate whose "not before" date is in the future. Clients have to reject it until then.',
    impact:
      'Browsers stop visitors with a full-page warning, and programs that verify certificates fail altogether. Whoever learns to click the warning away will also accept the certificate of somebody who sits in between.',
    sends: 'One TLS handshake with each TLS server of the host; no HTTP.',
    proves:
      'The certificate, or one that it relies on, begins later than now; one that is valid since yesterday is not taken for it. Clients refuse the site. Shows a configuration; no attack was made.',
    remedy:
      'Install the certificate that is valid now and put the new one in place when its time has come. If the certificate was made a moment ago, the clock of the machine or authority that made it is wrong: set it by NTP (`timedatectl set-ntp true`) and issue the certificate again. Public authorities and ACME clients such as certbot, Caddy or Traefik issue certificates that are valid at once.',
    references: [
      'RFC 5280 §4.1.2.5: https://www.rfc-editor.org/rfc/rfc5280#section-4.1.2.5',
      'CWE-295: https://cwe.mitre.org/data/definitions/295.html',
      'WSTG-CRYP-01: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/01-Testing_for_Weak_Transport_Layer_Security',
    ],
  },
});
