import { isIP } from 'node:net';
import { getPublicSuffix } from 'tldts';
import { claim } from '../../model/experiment.ts';
import type { CertificateInfo } from '../../model/tls.ts';
import type { TlsServer } from '../../model/tls-hello.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { defineCheck, notApplicable } from '../contract.ts';
import { handshakeExperiment, judgeServers } from './tls-servers.ts';

type WrongName = TlsServer & { hasAltNames: boolean };

/** A server presents a certificate for other names than its own, or for none that clients read. Source: RFC 9525 §6.3. */
export const certificateWrongName = defineCheck<WrongName>({
  id: 'tls.certificate-wrong-name',
  title: 'TLS certificate name mismatch',
  cwe: 297,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:L',
  depth: 'standard',
  risk: 'safe',

  detect(context) {
    if (isIP(context.surface.host.replace(/^\[|\]$/g, '')))
      return notApplicable('The host is an IP address: visitors come by names, which are not known here.');
    return judgeServers(context, ({ leaf, server }) => {
      if (isFor(leaf, bare(server.host))) return undefined;
      const names = leaf.subjectAltNames;
      const wanted = `not for ${bare(server.host)}`;
      return {
        detail:
          names.length > 0
            ? `The certificate is for ${names.slice(0, 5).join(', ')}, ${wanted}.`
            : `The certificate has no alternative name, and browsers do not read its subject (${leaf.subject}): it is ${wanted}.`,
        data: { hasAltNames: names.length > 0 },
      };
    });
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const host = bare(data.host);
    const any = namesFor(host).map(escapePattern).join('|');
    return handshakeExperiment(
      data,
      {
        note: `None of the names of the certificate that the server presents for ${host} is that name, or a wildcard for it.`,
        expect: [
          data.hasAltNames
            ? claim('tls:certificate.subjectAltNames', 'not-matches', `(?im)^(?:${any})\\.?$`)
            : claim('tls:certificate.subjectAltNames', 'absent', '', 'Its subject is no name to browsers since 2017.'),
        ],
      },
      { note: 'A certificate that was made for this name is not taken for that of another one.' },
    );
  },

  explain: {
    description:
      'The certificate that the server presents does not name this host, neither exactly nor by a wildcard for its place in the name. Clients have to reject it: it says that the key belongs to somebody else.',
    impact:
      'Browsers stop visitors with a full-page warning, and programs that verify certificates fail. Whoever learns to click the warning away will also accept the certificate of somebody who sits in between.',
    sends: 'One TLS handshake with each TLS server of the host; no HTTP.',
    proves:
      'No name in the certificate is the host or a wildcard for it; a certificate made for this name is accepted. Clients refuse the site. Shows a configuration; no traffic was intercepted.',
    remedy:
      'Get a certificate that has every name by which the server is reached as a subject alternative name, with and without www: `certbot --nginx -d example.com -d www.example.com`. If there is one, the server picked another: make sure that a virtual host has this name (`server_name` in nginx, `ServerName` and `ServerAlias` in Apache) with its certificate, and on a CDN or load balancer that the name is added there. A wildcard `*.example.com` stands for one label: neither for example.com nor for a.b.example.com. A name that should not serve the web any more is best removed from the DNS.',
    references: [
      'RFC 9525 §6.3: https://www.rfc-editor.org/rfc/rfc9525#section-6.3',
      'CWE-297: https://cwe.mitre.org/data/definitions/297.html',
      'WSTG-CRYP-01: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/01-Testing_for_Weak_Transport_Layer_Security',
    ],
  },
});

const bare = (host: string): string => host.replace(/\.$/, '').toLowerCase();

/** The name itself, and the wildcard that stands for its first label; none stands for whole registries, as "*.shop" would. */
function namesFor(host: string): string[] {
  const parent = host.replace(/^[^.]+\.?/, '');
  return getPublicSuffix(host) === parent ? [host] : [host, `*.${parent}`];
}

const isFor = ({ subjectAltNames }: CertificateInfo, host: string): boolean =>
  subjectAltNames.some((name) => namesFor(host).includes(bare(name)));
