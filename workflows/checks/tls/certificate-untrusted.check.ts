import { claim } from '../../model/experiment.ts';
import type { TlsServer } from '../../model/tls-hello.ts';
import { defineCheck } from '../contract.ts';
import { publicNameOf } from '../names/public-name.ts';
import { handshakeExperiment, judgeServers } from './tls-servers.ts';

type Untrusted = TlsServer & { end: 'self-signed' | 'refused' };

/** OpenSSL's words for issuers that are none: no authority (or not for servers), one that may not go as far, a signature that is not theirs. */
const refusals = ['INVALID_CA', 'INVALID_PURPOSE', 'PATH_LENGTH_EXCEEDED', 'CERT_SIGNATURE_FAILURE'];

/** A public server's certificate, or the root sent with it, vouches for itself and nobody knows it; or its issuer is no authority. Source: RFC 5280 §6.1. */
export const certificateUntrusted = defineCheck<Untrusted>({
  id: 'tls.certificate-untrusted',
  title: 'Untrusted TLS certificate',
  cwe: 295,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:L',
  depth: 'standard',
  risk: 'safe',

  detect(context) {
    const name = publicNameOf(context.surface);
    // Public authorities issue nothing for such names, and private ones are known to their users only.
    if ('notApplicable' in name) return name;
    return judgeServers<Pick<Untrusted, 'end'>>(context, ({ handshake: { authorizationError, path }, leaf }) => {
      if (path?.end === 'refused' && refusals.includes(authorizationError))
        return {
          detail: `The certificate for ${leaf.subject} comes from ${leaf.issuer}, and clients refuse it (${authorizationError}).`,
          data: { end: 'refused' },
        };
      if (path?.end !== 'self-signed') return undefined;
      const root = path.certificates.at(-1)?.subject;
      return {
        detail: leaf.isSelfSigned
          ? `The certificate for ${leaf.subject} is signed by itself.`
          : `The certificate for ${leaf.subject} leads to ${root}, which neither browsers nor this system know.`,
        data: { end: 'self-signed' },
      };
    });
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const shown =
      data.end === 'self-signed'
        ? {
            note: 'What the server presents leads, whatever its dates and names say, to a certificate that vouches for itself.',
            expect: [claim('tls:path', 'equals', 'self-signed', 'It is signed by itself, and not a known authority.')],
          }
        : {
            note: 'Verification of what the server presents fails at an issuer that is no authority for it.',
            expect: [claim('tls:error', 'one-of', refusals.join('|')), claim('tls:path', 'equals', 'refused')],
          };
    return handshakeExperiment(data, shown, {
      note: 'A certificate for this name that comes from an authority that is trusted for this control is not called untrusted.',
    });
  },

  explain: {
    description:
      "The server's certificate is signed by itself, or by an authority that is not among those that browsers and operating systems trust, or whose own certificate does not let it issue this one. Nobody whom a visitor could know has checked that its key belongs to this name.",
    impact:
      'Visitors see a full-page warning and cannot distinguish this certificate from that of somebody in between (an open Wi-Fi, a hostile router): whoever goes on may be talking to an attacker, who reads and changes everything. Programs either fail or have had verification switched off.',
    sends: 'One TLS handshake with each TLS server of the host; no HTTP.',
    proves:
      'The chain ends in a certificate that vouches for itself, or its issuer is no authority; a certificate of a trusted authority is accepted. Visitors cannot distinguish it from an attacker’s. No traffic was intercepted.',
    remedy:
      'Get a certificate from a public authority; it costs nothing with ACME: `certbot --nginx -d www.example.com`, `certbot --apache`, or a server that does it by itself (Caddy; Traefik with a certificate resolver; cert-manager in Kubernetes). Hosting companies and CDNs offer it as a switch. Certificates of a private authority belong on internal names only, with the authority installed on each client.',
    references: [
      'RFC 5280 §6.1: https://www.rfc-editor.org/rfc/rfc5280#section-6.1',
      'RFC 8555 (ACME): https://www.rfc-editor.org/rfc/rfc8555',
      'CWE-295: https://cwe.mitre.org/data/definitions/295.html',
      'WSTG-CRYP-01: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/01-Testing_for_Weak_Transport_Layer_Security',
    ],
  },
});
