import { claim } from '../../model/experiment.ts';
import { defineCheck } from '../contract.ts';
import { acceptedOf, helloStep, keysFor, soundStep, type WeakSuites, written } from './tls-offers.ts';
import { judgeLooks } from './tls-servers.ts';

/** Deprecated by RFC 7568 and RFC 8996. */
const outdated: readonly string[] = ['SSLv3', 'TLSv1', 'TLSv1.1'];

/** A server accepts SSL 3.0, TLS 1.0 or 1.1. Source: RFC 7568, RFC 8996, RFC 9325 §3.1.1. */
export const protocolOutdated = defineCheck<WeakSuites>({
  id: 'tls.protocol-outdated',
  title: 'Outdated SSL/TLS protocol version',
  cwe: 327,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 45,

  detect: (context) =>
    judgeLooks(context, (look) => {
      const old = look.versions.filter(({ version }) => outdated.includes(version));
      if (old.length === 0) return undefined;
      const isAll = old.length === look.versions.length;
      const names = old.map(({ version }) => written(version)).join(' and ');
      return {
        detail: `The server accepts ${names}${isAll ? ', and nothing newer' : ''}.`,
        data: { keys: keysFor(look), accepted: acceptedOf(old, () => true) },
      };
    }),

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    return {
      steps: data.accepted.map((accepted) =>
        helloStep(data, accepted, `A client that offers ${written(accepted.version)} alone is not refused.`, [
          claim('hello:version', 'equals', accepted.version, `The server goes on with ${written(accepted.version)}.`),
        ]),
      ),
      control: [
        soundStep(
          data,
          'A client that offers current versions alone is given one of them, or is refused: the version is what the server says, not what was asked.',
          [claim('hello:version', 'one-of', outdated.join('|'))],
        ),
      ],
    };
  },

  explain: {
    description:
      'The server accepts SSL 3.0, which was forbidden in 2015, or TLS 1.0 or 1.1, which were deprecated in 2021. They rest on MD5 and SHA-1 for the integrity of the handshake and know only ciphers with known weaknesses (CBC with the MAC first, RC4).',
    impact:
      'Connections of old clients, and of clients that somebody in between makes fall back, are open to attacks such as POODLE, BEAST and Lucky Thirteen on what they carry, cookies included. Browsers have refused these versions since 2020, so hardly anybody needs them; PCI DSS and other rules forbid them.',
    sends: 'ClientHello messages to each TLS server of the host that offer SSL 3.0, TLS 1.0 or 1.1 alone; no HTTP.',
    proves:
      'The server accepts the old version; a client that offers current versions gets one of them or is refused. Shows a configuration; no connection was decrypted.',
    remedy:
      'Switch them off. nginx: `ssl_protocols TLSv1.2 TLSv1.3;`. Apache: `SSLProtocol -all +TLSv1.2 +TLSv1.3`. HAProxy: `ssl-default-bind-options ssl-min-ver TLSv1.2`. IIS: disable TLS 1.0 and 1.1 under SCHANNEL\\Protocols in the registry. AWS load balancers: policy ELBSecurityPolicy-TLS13-1-2-2021-06. Cloudflare: Minimum TLS Version 1.2. The Mozilla SSL Configuration Generator writes whole configurations.',
    references: [
      'RFC 7568 (SSL 3.0): https://www.rfc-editor.org/rfc/rfc7568',
      'RFC 8996: https://www.rfc-editor.org/rfc/rfc8996',
      'RFC 9325 §3.1.1: https://www.rfc-editor.org/rfc/rfc9325#section-3.1.1',
      'CWE-327: https://cwe.mitre.org/data/definitions/327.html',
      'Mozilla SSL Configuration Generator: https://ssl-config.mozilla.org',
    ],
  },
});
