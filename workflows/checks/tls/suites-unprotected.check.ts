import { isUnprotected } from '../../probe/tls/hello/suites.ts';
import { defineCheck } from '../contract.ts';
import { judgeSuites, suitesExperiment, type WeakSuites } from './tls-offers.ts';
import { judgeLooks } from './tls-servers.ts';

/** Every connection is open then, and not only those of clients that offer the like. */
const everybody = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:N';

/** A server accepts cipher suites without encryption or authentication, or with keys that can be guessed. Source: RFC 9325 §4.1. */
export const suitesUnprotected = defineCheck<WeakSuites>({
  id: 'tls.suites-unprotected',
  title: 'NULL, anonymous, EXPORT or DES cipher suites accepted',
  cwe: 327,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:N',
  depth: 'standard',
  risk: 'safe',

  detect: (context) => judgeLooks(context, (look) => judgeSuites(look, isUnprotected, everybody)),
  confirm: (_context, { data }) =>
    data && suitesExperiment(data, 'cipher suites without encryption, authentication or keys of a sound length'),

  explain: {
    description:
      'The server agrees to cipher suites that do not protect a connection: NULL suites do not encrypt, anonymous ones (aNULL, DH_anon) let anybody pose as the server, EXPORT ones have keys of 40 or 56 bits and RSA or Diffie-Hellman keys of 512, and DES and RC2 can be searched through in hours.',
    impact:
      'Somebody between client and server who makes both agree on such a suite (FREAK, Logjam), or a client that is set up carelessly, loses everything that TLS is for: what is sent can be read and changed. Where the server accepts nothing else, every connection is open.',
    sends:
      'ClientHello messages to each TLS server of the host that offer NULL, anonymous, EXPORT or DES suites alone; no HTTP.',
    proves:
      'The server chooses such a suite; a client that offers sound suites gets none of them. Shows a configuration; no connection was decrypted.',
    remedy:
      'Name the ciphers that are allowed instead of excluding some. nginx: `ssl_ciphers ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305;`. Apache: the same list after `SSLCipherSuite`. HAProxy: after `ssl-default-bind-ciphers`. Java: leave NULL, anon, EXPORT and DES in `jdk.tls.disabledAlgorithms`. OpenSSL lists that begin with ALL need `!aNULL:!eNULL:!EXPORT:!LOW` at the least. The Mozilla SSL Configuration Generator writes whole configurations.',
    references: [
      'RFC 9325 §4.1: https://www.rfc-editor.org/rfc/rfc9325#section-4.1',
      'CWE-327: https://cwe.mitre.org/data/definitions/327.html',
      'SMACK and FREAK: https://mitls.org/pages/attacks/SMACK',
      'Mozilla SSL Configuration Generator: https://ssl-config.mozilla.org',
    ],
  },
});
