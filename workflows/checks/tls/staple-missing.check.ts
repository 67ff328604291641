import { claim } from '../../model/experiment.ts';
import type { Staple } from '../../model/tls.ts';
import type { TlsServer } from '../../model/tls-hello.ts';
import { defineCheck } from '../contract.ts';
import { askedForStaple } from './staples.ts';
import { handshakeExperiment, judgeServers } from './tls-servers.ts';

/** What came instead of a response that says that the certificate is good; one that says "revoked" is a finding of its own. */
type Stapled = Exclude<Staple, 'good' | 'revoked'> | 'nothing';
type Unstapled = TlsServer & { staple: Stapled };

const words: Record<Stapled, string> = {
  nothing: 'the server sends none',
  unknown: 'the one that the server sends says that its responder does not know the certificate',
  foreign: 'the one that the server sends is for another certificate',
  over: 'the response that the server sends has expired',
  refused: 'what the server sends is an error of the responder',
  unreadable: 'what the server sends cannot be read',
};

/** A certificate says that it comes with a response of OCSP, and the server has none for it. Source: RFC 7633 §4, RFC 6066 §8. */
export const stapleMissing = defineCheck<Unstapled>({
  id: 'tls.staple-missing',
  title: 'Missing OCSP staple (must-staple certificate)',
  cwe: 299,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:N/A:L',
  depth: 'standard',
  risk: 'safe',

  detect: (context) =>
    judgeServers<Pick<Unstapled, 'staple'>>(context, async ({ handshake, leaf, server }) => {
      if (!handshake.revocation?.mustStaple) return undefined;
      // Some servers fetch a response only once somebody has asked for one, as nginx does: the second look is the one that counts.
      await askedForStaple(context, server);
      const asked = await askedForStaple(context, server);
      if (!asked?.revocation?.mustStaple) return undefined;
      const { staple = 'nothing' } = asked;
      if (staple === 'good' || staple === 'revoked') return undefined;
      return {
        detail: `The certificate for ${leaf.subject} is to be refused without a valid OCSP response, and ${words[staple]}.`,
        data: { staple },
      };
    }),

  confirm: (_context, { data }) =>
    data &&
    handshakeExperiment(
      data,
      {
        note: `The certificate is to be refused without a valid OCSP response, and ${words[data.staple]}.`,
        expect: [
          claim('tls:must-staple', 'equals', 'true', 'Its TLS feature extension names status_request.'),
          data.staple === 'nothing'
            ? claim('tls:staple', 'absent', '', 'No response came, though one was asked for.')
            : claim('tls:staple', 'equals', data.staple),
        ],
      },
      { note: 'A server whose certificate demands a response, and that does send one, is not taken for this one.' },
    ),

  explain: {
    description:
      'The certificate has the TLS feature extension "must staple": it requires clients to refuse it when the server does not send a valid, current response of OCSP along with it. This server was asked for one, several times, and sends none that serves.',
    impact:
      'Clients that heed the extension, as Firefox does, stop visitors with an error page (MOZILLA_PKIX_ERROR_REQUIRED_TLS_FEATURE_MISSING) that cannot be passed by. Others go on without the protection against a stolen, revoked key that the certificate was ordered for.',
    sends: 'TLS handshakes that ask for a stapled OCSP response, with each TLS server of the host; no HTTP.',
    proves:
      'The certificate demands a stapled response, and no valid one comes; a server that sends one is not taken for this one. Clients that heed the extension refuse the site. Shows a configuration; no attack was made.',
    remedy:
      'Where the authority still runs OCSP, let the server staple: nginx `ssl_stapling on; ssl_stapling_verify on; ssl_trusted_certificate chain.pem; resolver …;` (or `ssl_stapling_file`, renewed by a timer, because it fetches only after the first visit), Apache `SSLUseStapling on` with `SSLStaplingCache`, Caddy by itself; let it reach the address of the responder. Many authorities have ended OCSP (Let’s Encrypt in 2025): then get a certificate without the extension (`certbot renew --force-renewal` after `must_staple` is removed from its renewal file), since short lifetimes do the same.',
    references: [
      'RFC 7633 §4: https://www.rfc-editor.org/rfc/rfc7633#section-4',
      'RFC 6066 §8: https://www.rfc-editor.org/rfc/rfc6066#section-8',
      'CWE-299: https://cwe.mitre.org/data/definitions/299.html',
      'Ending OCSP support: https://letsencrypt.org/2024/12/05/ending-ocsp',
    ],
  },
});
