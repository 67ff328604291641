import { claim } from '../../model/experiment.ts';
import type { TlsServer } from '../../model/tls-hello.ts';
import { defineCheck } from '../contract.ts';
import { judgeLooks } from './tls-servers.ts';

type EarlyData = TlsServer & { bytes: number };

/** A server's session tickets allow early data, which can be sent again. Source: RFC 8446 §8, RFC 8470. */
export const earlyData = defineCheck<EarlyData>({
  id: 'tls.early-data',
  title: 'TLS 1.3 early data (0-RTT) accepted',
  cwe: 294,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  detect: (context) =>
    judgeLooks(context, ({ maxEarlyDataBytes: bytes }) =>
      bytes > 0 ? { detail: `Its session tickets allow ${bytes} bytes of early data.`, data: { bytes } } : undefined,
    ),

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const { host, port, bytes } = data;
    const tls = { host, port, minVersion: 'TLSv1.3' } as const;
    return {
      steps: [
        {
          tls,
          note: 'A session ticket of the server says how many bytes may be sent before the handshake has ended.',
          expect: [claim('tls:early-data-bytes', 'greater-than', '0')],
        },
      ],
      control: [
        {
          tls,
          note: 'It is not taken to allow more than it says.',
          expect: [claim('tls:early-data-bytes', 'greater-than', String(bytes))],
        },
      ],
    };
  },

  explain: {
    description:
      'The server lets clients that come back send their first request together with the handshake (0-RTT of TLS 1.3). Such a request is not bound to one connection: it arrives again when somebody sends a copy of the packets, to another server of the same site for instance.',
    impact:
      'Nothing, as long as only requests that may be repeated are carried out before the handshake has ended. Where the application does not distinguish them, an order, a vote or a transfer can be carried out twice by somebody who cannot read it.',
    sends: 'A TLS 1.3 handshake with each TLS server of the host; no early data is sent.',
    proves:
      'A session ticket allows early data, and not more than it says. Shows a configuration; no request was sent twice.',
    remedy:
      'Leave it on only if the application answers 425 (Too Early) to requests that must not be repeated. nginx: `ssl_early_data off;`, or `proxy_set_header Early-Data $ssl_early_data;` and a check of that header behind it. HAProxy: no `allow-0rtt`, or `http-request wait-for-handshake unless METH_GET`. Cloudflare: 0-RTT Connection Resumption off, or look at the header Cf-0rtt-Unique.',
    references: [
      'RFC 8446 §8: https://www.rfc-editor.org/rfc/rfc8446#section-8',
      'RFC 8470: https://www.rfc-editor.org/rfc/rfc8470',
      'CWE-294: https://cwe.mitre.org/data/definitions/294.html',
    ],
  },
});
