import { hasSmallBlocks } from '../../probe/tls/hello/suites.ts';
import { defineCheck } from '../contract.ts';
import { judgeSuites, suitesExperiment, type WeakSuites } from './tls-offers.ts';
import { judgeLooks } from './tls-servers.ts';

/** A server accepts ciphers with blocks of 64 bits. Source: Bhargavan and Leurent, "Sweet32" (2016), NIST SP 800-131A Rev. 2. */
export const suitesSmallBlocks = defineCheck<WeakSuites>({
  id: 'tls.suites-small-blocks',
  title: '64-bit block ciphers accepted (Sweet32)',
  cwe: 327,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  detect: (context) => judgeLooks(context, (look) => judgeSuites(look, hasSmallBlocks)),
  confirm: (_context, { data }) => data && suitesExperiment(data, 'ciphers with blocks of 64 bits'),

  explain: {
    description:
      'The server agrees to cipher suites with triple DES or IDEA. Their blocks have 64 bits, so that after some ten gigabytes on one connection equal blocks are to be expected, which reveal what was encrypted (SWEET32). NIST has not allowed triple DES since 2024.',
    impact:
      'Somebody who records a long connection and makes the browser of a visitor send many requests on it can work out what is repeated in each of them, as a session cookie is. It takes days, and a client that does not offer anything better.',
    sends: 'ClientHello messages to each TLS server of the host that offer suites with 64-bit blocks alone; no HTTP.',
    proves:
      'The server chooses a suite with 64-bit blocks; a client that offers sound suites gets none of them. Shows a configuration; no connection was decrypted.',
    remedy:
      'Take triple DES out of the list. nginx: no DES-CBC3 in `ssl_ciphers`, or `!3DES`. Apache: `SSLCipherSuite HIGH:!aNULL:!RC4:!3DES`. IIS: `Enabled=0` under SCHANNEL\\Ciphers\\Triple DES 168 in the registry. Java: `3DES_EDE_CBC` in `jdk.tls.disabledAlgorithms`. AWS load balancers: a policy of 2016 or later. Windows XP is the last system that knows nothing better.',
    references: [
      'SWEET32: https://sweet32.info',
      'CVE-2016-2183: https://nvd.nist.gov/vuln/detail/CVE-2016-2183',
      'NIST SP 800-131A Rev. 2: https://csrc.nist.gov/pubs/sp/800/131/a/r2/final',
      'CWE-327: https://cwe.mitre.org/data/definitions/327.html',
    ],
  },
});
