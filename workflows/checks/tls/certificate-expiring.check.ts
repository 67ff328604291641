import { claim } from '../../model/experiment.ts';
import type { TlsServer } from '../../model/tls-hello.ts';
import { defineCheck } from '../contract.ts';
import { handshakeExperiment, judgeServers } from './tls-servers.ts';

type Expiring = TlsServer & { limit: string };

const dayMs = 86_400_000;
const limitMs = 14 * dayMs;
/** Certificates that live for days only are renewed late: what counts is that automation has missed its time. */
const lastShare = 1 / 4;

/** A certificate ends within 14 days and has not been renewed. Source: RFC 5280 §4.1.2.5. */
export const certificateExpiring = defineCheck<Expiring>({
  id: 'tls.certificate-expiring',
  title: 'TLS certificate expires soon',
  cwe: 324,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:N/A:L',
  depth: 'standard',
  risk: 'safe',

  detect: (context) =>
    judgeServers(context, ({ leaf }) => {
      const [from, to, now] = [Date.parse(leaf.validFrom), Date.parse(leaf.validTo), context.now().getTime()];
      const limit = now + Math.min(limitMs, (to - from) * lastShare);
      // The comparison is false for dates that are none.
      if (!(to > now && to < limit)) return undefined;
      const days = Math.floor((to - now) / dayMs);
      return {
        detail: `The certificate for ${leaf.subject} ends on ${leaf.validTo}, in ${days === 1 ? 'a day' : `${days} days`}.`,
        data: { limit: new Date(limit).toISOString() },
      };
    }),

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    return handshakeExperiment(
      data,
      {
        note: 'The certificate that the server presents is still valid, and not for long.',
        expect: [
          claim('tls:certificate.validTo', 'after', 'now'),
          claim('tls:certificate.validTo', 'before', data.limit, 'By then it should have been renewed.'),
        ],
      },
      {
        note: 'A certificate that was made for this name a moment ago, for 90 days, is not taken for one that is about to end.',
      },
    );
  },

  explain: {
    description:
      'The certificate that the server presents ends within 14 days (within the last quarter of its life, if it lives for less than two months). Automated renewal would have replaced it by now, so either there is none or it fails.',
    impact:
      'When it has ended, browsers stop visitors with a full-page warning and programs that verify certificates fail: the service is down for them, and people learn to click warnings away.',
    sends: 'One TLS handshake with each TLS server of the host; no HTTP.',
    proves:
      'The certificate ends within 14 days, or the last quarter of a shorter life; one made a moment ago does not. Shows a configuration; no attack was made.',
    remedy:
      'Renew it now and find out why it was not renewed by itself: `certbot renew --dry-run` and `systemctl list-timers` (certbot), the log of Caddy, Traefik or cert-manager (`kubectl describe certificate`). Usual causes are a challenge path that a redirect or firewall blocks, a DNS token that has been revoked, and a server that was not reloaded after renewal (`certbot renew --deploy-hook "systemctl reload nginx"`). Watch the date from outside and alert at 14 days.',
    references: [
      'RFC 8555 (ACME): https://www.rfc-editor.org/rfc/rfc8555',
      "Let's Encrypt, integration guide, when to renew: https://letsencrypt.org/docs/integration-guide/",
      'CWE-324: https://cwe.mitre.org/data/definitions/324.html',
    ],
  },
});
