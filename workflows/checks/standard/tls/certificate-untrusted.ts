import type { TlsServer } from '../../../probe/types.ts';
import { claim } from '../../../proof/experiment.ts';
import { defineCheck } from '../../contract.ts';
import { publicNameOf } from '../../support/public-name.ts';
import {
  brokenChainCodes,
  handshakeExperiment,
  isOneOf,
  judgeServers,
  otherFaultCodes,
  selfMadeCodes,
} from '../../support/tls-servers.ts';

/** A public server's certificate, or the root sent with it, vouches for itself and nobody knows it. Source: RFC 5280 §6.1. */
export const certificateUntrusted = defineCheck<TlsServer>({
  id: 'tls.certificate-untrusted',
  title: 'The TLS certificate comes from no authority that clients trust',
  cwe: 295,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:L',
  depth: 'standard',
  risk: 'safe',

  detect(context) {
    const name = publicNameOf(context.surface);
    // Public authorities issue nothing for such names, and private ones are known to their users only.
    if ('notApplicable' in name) return name;
    return judgeServers(context, ({ handshake: { authorizationError, chain }, leaf }) => {
      if (!isOneOf(selfMadeCodes, authorizationError)) return undefined;
      const root = chain.at(-1)?.subject;
      return {
        detail: leaf.isSelfSigned
          ? `The certificate for ${leaf.subject} is signed by itself.`
          : `The certificate for ${leaf.subject} leads to ${root}, which neither browsers nor this system know.`,
        data: {},
      };
    });
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    return handshakeExperiment(
      data,
      {
        note: 'Verification of what the server presents ends at a certificate that vouches for itself.',
        expect: [
          claim('tls:error', 'one-of', selfMadeCodes.join('|'), 'It is signed by itself, and not a known authority.'),
        ],
      },
      {
        note: 'Neither its dates nor its name nor a certificate that was not sent is what verification objects to.',
        expect: [claim('tls:error', 'one-of', [...otherFaultCodes, ...brokenChainCodes].join('|'))],
      },
    );
  },

  explain: {
    description:
      "The server's certificate is signed by itself, or by an authority that is not among those that browsers and operating systems trust. Nobody whom a visitor could know has checked that its key belongs to this name.",
    impact:
      'Visitors see a full-page warning and cannot tell this certificate from that of somebody who sits in between (an open Wi-Fi, a hostile router): whoever goes on may be talking to an attacker, who reads and changes everything. Programs either fail or have had verification switched off.',
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
