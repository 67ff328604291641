import { claim } from '../../model/experiment.ts';
import type { TlsServer } from '../../model/tls-hello.ts';
import { defineCheck } from '../contract.ts';
import { publicNameOf } from '../names/public-name.ts';
import { handshakeExperiment, judgeServers } from './tls-servers.ts';

/**
 * What a server sends ends before any known authority. Whether the missing issuer is a public one is not claimed: that would take
 * fetching it from another host. Source: RFC 8446 §4.4.2, RFC 5280 §6.1.
 */
export const incompleteChain = defineCheck<TlsServer>({
  id: 'tls.incomplete-chain',
  title: 'Incomplete TLS certificate chain',
  cwe: 296,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:N/A:L',
  depth: 'standard',
  risk: 'safe',

  detect(context) {
    const name = publicNameOf(context.surface);
    // Public authorities issue nothing for such names, and private ones are known to their users only.
    if ('notApplicable' in name) return name;
    return judgeServers(context, ({ handshake: { path, chain } }) => {
      const last = path?.certificates.at(-1);
      if (!last || last.isSelfSigned || path?.end !== 'incomplete') return undefined;
      return {
        detail: `The server sends ${chain.length === 1 ? 'one certificate' : `${chain.length} certificates`}; the issuer of ${last.subject}, ${last.issuer}, is neither sent nor known as an authority.`,
        data: {},
      };
    });
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    return handshakeExperiment(
      data,
      {
        note: 'The way from what the server sends to an authority ends for want of an issuer, whatever its dates and names say.',
        expect: [
          claim('tls:certificate.isSelfSigned', 'equals', 'false'),
          claim('tls:path', 'equals', 'incomplete', 'The issuer is neither sent nor a known authority.'),
        ],
      },
      {
        note: 'A certificate for this name whose authority is trusted for this control is not taken for one that lacks its issuer.',
        expect: [claim('tls:path', 'equals', 'incomplete')],
      },
    );
  },

  explain: {
    description:
      'The server does not send the certificates that lead from its own to an authority that clients know. Most often the intermediate certificate was left out when the server was set up; else the issuer is a private authority.',
    impact:
      'Clients that do not look for missing certificates themselves refuse the connection: command-line programs, most libraries, mobile apps, payment and webhook services, and some browsers the first time. The usual way out, switching verification off, lets anybody sit in between.',
    sends: 'One TLS handshake with each TLS server of the host; no HTTP. The missing certificate is not fetched.',
    proves:
      'The chain ends at an issuer that is neither sent nor a known authority; a certificate of a trusted authority is complete. Clients that fetch nothing refuse it. Shows a configuration; no attack was made.',
    remedy:
      'Send the whole chain, the own certificate first, without the root. nginx: `ssl_certificate /etc/letsencrypt/live/example.com/fullchain.pem;` (not cert.pem). Apache 2.4: `SSLCertificateFile …/fullchain.pem`. HAProxy: certificate, intermediates and key in one file. Kubernetes: the whole chain in `tls.crt`. Java: import the chain into the keystore. Check it with `openssl s_client -connect example.com:443 -servername example.com`, which must say "Verify return code: 0". If the issuer is a private authority, use a public one for a public name.',
    references: [
      'RFC 8446 §4.4.2: https://www.rfc-editor.org/rfc/rfc8446#section-4.4.2',
      'RFC 5280 §6.1: https://www.rfc-editor.org/rfc/rfc5280#section-6.1',
      'CWE-296: https://cwe.mitre.org/data/definitions/296.html',
    ],
  },
});
