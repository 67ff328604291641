import { claim } from '../../model/experiment.ts';
import { defineCheck } from '../contract.ts';
import { acceptedOf, helloStep, keysFor, type WeakSuites, written } from './tls-offers.ts';
import { judgeLooks } from './tls-servers.ts';

/** A server does not know of secure renegotiation. Whether it renegotiates at all is not claimed. Source: RFC 5746 §3.6, RFC 9325 §3.5. */
export const renegotiationInsecure = defineCheck<WeakSuites>({
  id: 'tls.renegotiation-insecure',
  title: 'Secure renegotiation not supported',
  cwe: 300,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:L/A:N',
  depth: 'standard',
  risk: 'safe',

  detect: (context) =>
    judgeLooks(context, (look) => {
      const newest = look.versions.findLast(({ version }) => version !== 'TLSv1.3');
      if (look.isRenegotiationSecure !== false || !newest) return undefined;
      return {
        detail: `In ${written(newest.version)} the server does not answer the extension renegotiation_info.`,
        data: { keys: keysFor(look), accepted: acceptedOf([newest], () => true) },
      };
    }),

  confirm: (_context, { data }) => {
    const [accepted] = data?.accepted ?? [];
    if (!data || !accepted) return undefined;
    return {
      steps: [
        helloStep(data, accepted, 'A client that asks for secure renegotiation gets no answer to that.', [
          claim('hello:renegotiation', 'equals', 'insecure', 'The answer has no renegotiation_info.'),
        ]),
      ],
      control: [
        helloStep(data, accepted, 'The answer is a whole one, not one that lacks everything.', [
          claim('hello:suite', 'absent'),
        ]),
      ],
    };
  },

  explain: {
    description:
      'The server does not answer the extension by which both sides make sure that a second handshake on a connection belongs to the first (RFC 5746, of 2010). Clients cannot detect whether somebody has put something of their own before what they send.',
    impact:
      'If the server renegotiates, somebody in between can open a connection, send the beginning of a request, and let the connection of a visitor go on after it: the request is then carried out with the cookies of the visitor. Current clients refuse such servers altogether (OpenSSL 3: "unsafe legacy renegotiation disabled"), so programs of customers and partners fail.',
    sends:
      'ClientHello messages to each TLS server of the host with the extension for secure renegotiation; no HTTP, and no renegotiation.',
    proves:
      'The server’s answer lacks renegotiation_info although it is complete otherwise. Shows a configuration; whether the server renegotiates at all is not shown.',
    remedy:
      'Update the TLS library or the appliance in front of the site: OpenSSL 0.9.8m, Java 6u22, Windows with MS10-049 and everything newer know the extension. Switch renegotiation by clients off as well, and offer TLS 1.3, which has none.',
    references: [
      'RFC 5746: https://www.rfc-editor.org/rfc/rfc5746',
      'RFC 9325 §3.5: https://www.rfc-editor.org/rfc/rfc9325#section-3.5',
      'CVE-2009-3555: https://nvd.nist.gov/vuln/detail/CVE-2009-3555',
      'CWE-300: https://cwe.mitre.org/data/definitions/300.html',
    ],
  },
});
