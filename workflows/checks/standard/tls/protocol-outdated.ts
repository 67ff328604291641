import { ProbeError, type TlsVersion } from '../../../probe/types.ts';
import { claim, type Step } from '../../../proof/experiment.ts';
import { type CheckContext, defineCheck } from '../../contract.ts';
import { judgeServers, type TlsServer } from '../../support/tls-servers.ts';

type Outdated = TlsServer & { versions: TlsVersion[]; hasCurrent: boolean };

/** Deprecated by RFC 8996; the older SSL cannot be spoken here. */
const outdated = ['TLSv1', 'TLSv1.1'] as const;
const current = ['TLSv1.2', 'TLSv1.3'] as const;

/** A server accepts TLS 1.0 or 1.1. Source: RFC 8996, RFC 9325 §3.1.1. */
export const protocolOutdated = defineCheck<Outdated>({
  id: 'tls.protocol-outdated',
  title: 'The server accepts TLS 1.0 or TLS 1.1',
  cwe: 327,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  detect: (context) =>
    judgeServers(context, async ({ handshake, server }) => {
      const versions: TlsVersion[] = [];
      for (const version of outdated) if (await accepts(context, server, version)) versions.push(version);
      if (versions.length === 0) return undefined;
      const hasCurrent = (current as readonly string[]).includes(handshake.protocol);
      return {
        detail: `The server accepts ${versions.map(written).join(' and ')}${hasCurrent ? '' : ', and nothing newer'}.`,
        data: { versions, hasCurrent },
      };
    }),

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const { host, port, versions, hasCurrent } = data;
    return {
      steps: versions.map((version) => ({
        tls: { host, port, minVersion: version, maxVersion: version },
        note: `A client that offers ${written(version)} alone is not refused.`,
        expect: [claim('tls:protocol', 'equals', version, `The handshake is finished with ${written(version)}.`)],
      })),
      control: [hasCurrent ? currentOnly({ host, port }) : everything({ host, port })],
    };
  },

  explain: {
    description:
      'The server accepts TLS 1.0 or TLS 1.1, which were deprecated in 2021. They rest on MD5 and SHA-1 for the integrity of the handshake and know only ciphers with known weaknesses (CBC with the MAC first, RC4).',
    impact:
      'Connections of old clients, and of clients that somebody in between makes fall back, are open to attacks such as BEAST and Lucky Thirteen on what they carry, cookies included. Browsers have refused these versions since 2020, so hardly anybody needs them; PCI DSS and other rules forbid them.',
    remedy:
      'Switch them off. nginx: `ssl_protocols TLSv1.2 TLSv1.3;`. Apache: `SSLProtocol -all +TLSv1.2 +TLSv1.3`. HAProxy: `ssl-default-bind-options ssl-min-ver TLSv1.2`. IIS: disable TLS 1.0 and 1.1 under SCHANNEL\\Protocols in the registry. AWS load balancers: policy ELBSecurityPolicy-TLS13-1-2-2021-06. Cloudflare: Minimum TLS Version 1.2. The Mozilla SSL Configuration Generator writes whole configurations.',
    references: [
      'RFC 8996: https://www.rfc-editor.org/rfc/rfc8996',
      'RFC 9325 §3.1.1: https://www.rfc-editor.org/rfc/rfc9325#section-3.1.1',
      'CWE-327: https://cwe.mitre.org/data/definitions/327.html',
      'Mozilla SSL Configuration Generator: https://ssl-config.mozilla.org',
    ],
  },
});

/** @throws ProbeError when the server did not say */
async function accepts({ tls }: CheckContext, server: TlsServer, version: TlsVersion): Promise<boolean> {
  try {
    const { protocol } = await tls.handshake({ ...server, minVersion: version, maxVersion: version });
    return protocol === version;
  } catch (error) {
    if (error instanceof ProbeError && error.code === 'tls_failed') return false;
    throw error;
  }
}

const written = (version: TlsVersion): string => (version === 'TLSv1' ? 'TLS 1.0' : version.replace('TLSv', 'TLS '));

const currentOnly = (server: TlsServer): Step => ({
  tls: { ...server, minVersion: 'TLSv1.2' },
  note: 'A client that offers current versions alone is given one: the version is what the server says, not what was asked.',
  expect: [claim('tls:protocol', 'one-of', outdated.join('|'))],
});

const everything = (server: TlsServer): Step => ({
  tls: server,
  note: 'A client that offers every version is given no current one.',
  expect: [claim('tls:protocol', 'one-of', current.join('|'))],
});
