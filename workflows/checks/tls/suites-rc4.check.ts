import { usesRc4 } from '../../probe/tls/hello/suites.ts';
import { defineCheck } from '../contract.ts';
import { judgeSuites, suitesExperiment, type WeakSuites } from './tls-offers.ts';
import { judgeLooks } from './tls-servers.ts';

/** A server accepts RC4 with 128 bits. Source: RFC 7465. */
export const suitesRc4 = defineCheck<WeakSuites>({
  id: 'tls.suites-rc4',
  title: 'RC4 cipher suites accepted',
  cwe: 327,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  detect: (context) => judgeLooks(context, (look) => judgeSuites(look, usesRc4)),
  confirm: (_context, { data }) => data && suitesExperiment(data, 'RC4'),

  explain: {
    description:
      'The server agrees to cipher suites with the stream cipher RC4, whose output is biased. TLS forbids it since 2015 (RFC 7465): clients must not offer it, and servers must not choose it.',
    impact:
      'What is sent again and again at the same place of many connections, as a session cookie is, can be worked out from recordings of them. Browsers have given RC4 up, so it is old clients and programs that are exposed.',
    sends: 'ClientHello messages to each TLS server of the host that offer RC4 suites alone; no HTTP.',
    proves:
      'The server chooses an RC4 suite; a client that offers sound suites gets none of them. Shows a configuration; no connection was decrypted.',
    remedy:
      'Take RC4 out of the list. nginx: no RC4 in `ssl_ciphers`, or `!RC4`. Apache: `SSLCipherSuite HIGH:!aNULL:!RC4:!3DES`. IIS: `Enabled=0` under SCHANNEL\\Ciphers\\RC4 128/128 in the registry. Java: RC4 in `jdk.tls.disabledAlgorithms`, where it is by default. Clients that know nothing else need an update.',
    references: [
      'RFC 7465: https://www.rfc-editor.org/rfc/rfc7465',
      'CVE-2015-2808: https://nvd.nist.gov/vuln/detail/CVE-2015-2808',
      'CWE-327: https://cwe.mitre.org/data/definitions/327.html',
    ],
  },
});
