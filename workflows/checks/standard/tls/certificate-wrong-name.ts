import { isIP } from 'node:net';
import type { CertificateInfo, TlsServer } from '../../../probe/types.ts';
import { type Assertion, claim } from '../../../proof/experiment.ts';
import { escapePattern } from '../../../proof/pattern.ts';
import { defineCheck, notApplicable } from '../../contract.ts';
import { handshakeExperiment, isOneOf, judgeServers, type Seen, selfMadeCodes } from '../../support/tls-servers.ts';

/** `own` is a name that the certificate is for; undefined when it has none. */
type WrongName = TlsServer & { hasAltNames: boolean; own?: string };

/** A server presents a certificate for other names than its own. Source: RFC 9525 §6.3. */
export const certificateWrongName = defineCheck<WrongName>({
  id: 'tls.certificate-wrong-name',
  title: 'The TLS certificate is for another name',
  cwe: 297,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:L',
  depth: 'standard',
  risk: 'safe',

  detect(context) {
    if (isIP(context.surface.host.replace(/^\[|\]$/g, '')))
      return notApplicable('The host is an IP address: visitors come by names, which are not known here.');
    return judgeServers(context, (seen) => {
      const { leaf, server } = seen;
      if (isSelfMade(seen) || isFor(leaf, bare(server.host))) return undefined;
      const names = leaf.subjectAltNames;
      const own = names.length > 0 ? names[0] : commonNameOf(leaf);
      return {
        detail: `The certificate is for ${own === undefined ? 'no name at all' : names.slice(0, 5).join(', ') || own}, not for ${bare(server.host)}.`,
        data: { hasAltNames: names.length > 0, ...(own === undefined ? {} : { own }) },
      };
    });
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const { host, hasAltNames, own } = data;
    return handshakeExperiment(
      data,
      {
        note: `None of the names of the certificate that the server presents for ${bare(host)} is that name, or a wildcard for it.`,
        expect: claims(hasAltNames, namesFor(bare(host))),
      },
      {
        note: 'A name that the certificate is for is not missed.',
        expect: own === undefined ? [claim('tls:certificate.validTo', 'absent')] : claims(hasAltNames, [own]),
      },
    );
  },

  explain: {
    description:
      'The certificate that the server presents does not name this host, neither exactly nor by a wildcard for its place in the name. Clients have to reject it: it says that the key belongs to somebody else.',
    impact:
      'Browsers stop visitors with a full-page warning, and programs that verify certificates fail. Whoever learns to click the warning away will also accept the certificate of somebody who sits in between.',
    remedy:
      'Get a certificate that has every name by which the server is reached as a subject alternative name, with and without www: `certbot --nginx -d example.com -d www.example.com`. If there is one, the server picked another: make sure that a virtual host has this name (`server_name` in nginx, `ServerName` and `ServerAlias` in Apache) with its certificate, and on a CDN or load balancer that the name is added there. A wildcard `*.example.com` stands for one label: neither for example.com nor for a.b.example.com. A name that should not serve the web any more is best taken out of the DNS.',
    references: [
      'RFC 9525 §6.3: https://www.rfc-editor.org/rfc/rfc9525#section-6.3',
      'CWE-297: https://cwe.mitre.org/data/definitions/297.html',
      'WSTG-CRYP-01: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/01-Testing_for_Weak_Transport_Layer_Security',
    ],
  },
});

const bare = (host: string): string => host.replace(/\.$/, '').toLowerCase();

/** Anybody can write any name into a certificate of their own making: that nobody vouches for it is the weakness then. */
const isSelfMade = ({ handshake: { authorizationError }, leaf }: Seen): boolean =>
  isOneOf(selfMadeCodes, authorizationError) || (leaf.isSelfSigned && authorizationError.startsWith('CERT_'));

/** The name itself, and the wildcard that stands for its first label. */
const namesFor = (host: string): string[] => [host, host.replace(/^[^.]+/, '*')];

function isFor(leaf: CertificateInfo, host: string): boolean {
  // Some clients still read the common name when there are no other names, so it is let pass.
  const names = leaf.subjectAltNames.length > 0 ? leaf.subjectAltNames : [commonNameOf(leaf) ?? ''];
  return names.some((name) => namesFor(host).includes(bare(name)));
}

const commonNameOf = ({ subject }: CertificateInfo): string | undefined => /(?:^|, )CN=([^,]+)/.exec(subject)?.[1];

function claims(hasAltNames: boolean, names: readonly string[]): Assertion[] {
  const any = names.map(escapePattern).join('|');
  if (hasAltNames) return [claim('tls:certificate.subjectAltNames', 'not-matches', `(?im)^(?:${any})\\.?$`)];
  return [
    claim('tls:certificate.subjectAltNames', 'absent'),
    claim('tls:certificate.subject', 'not-matches', `(?i)(?:^|, )CN=(?:${any})\\.?(?:,|$)`),
  ];
}
