import { claim } from '../../model/experiment.ts';
import type { SuiteSeen } from '../../model/tls-hello.ts';
import { hasForwardSecrecy, isUnprotected } from '../../probe/tls/hello/suites.ts';
import { defineCheck } from '../contract.ts';
import { acceptedOf, helloStep, keysFor, soundStep, type WeakSuites, written } from './tls-offers.ts';
import { judgeLooks } from './tls-servers.ts';

/** Source: RFC 9325 §4.2, NIST SP 800-57 Part 1 Rev. 5 §5.6.1.1. */
const leastBits = 2_048;
/** Within reach of states by precomputing for a prime that many use. Source: Adrian et al., "Imperfect Forward Secrecy" (2015). */
const weakBits = 1_024;
/** Within reach of anybody with rented machines; the same source. */
const brokenBits = 768;

/** A server's Diffie-Hellman key exchange is over a short prime. Source: RFC 9325 §4.2. */
export const dhWeak = defineCheck<WeakSuites>({
  id: 'tls.dh-weak',
  title: 'Weak Diffie-Hellman parameters',
  cwe: 326,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  detect: (context) =>
    judgeLooks(context, (look) => {
      const accepted = acceptedOf(look.versions, isShort);
      const shortest = Math.min(
        ...look.versions.flatMap(({ suites }) => suites.filter(isShort).map(({ dhBits = leastBits }) => dhBits)),
      );
      if (accepted.length === 0) return undefined;
      return {
        detail: `The server uses a prime of ${shortest} bits.`,
        ...vectorFor(shortest),
        data: { keys: keysFor(look), accepted },
      };
    }),

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const expect = [
      claim('hello:dh-bits', 'less-than', String(leastBits), `The prime has less than ${leastBits} bits.`),
    ];
    return {
      steps: data.accepted.map((accepted) =>
        helloStep(
          data,
          accepted,
          `A client that offers ephemeral Diffie-Hellman (${written(accepted.version)}) is given a short prime.`,
          expect,
        ),
      ),
      control: [
        soundStep(data, 'A client that offers elliptic curves alone is given no such prime, or is refused.', expect),
      ],
    };
  },

  explain: {
    description:
      'Where client and server agree on a cipher suite with DHE, the server makes the keys with a prime of less than 2048 bits. Logarithms for primes of 512 and 768 bits have been computed (Logjam), and 1024 bits are within reach of states, once for all servers that use the same prime, as most do.',
    impact:
      'Whoever can compute logarithms for that prime reads the connections that are made with it, of the past as well, if they were recorded. Browsers no longer offer DHE, so it is other programs (mail, Java, appliances) that are exposed.',
    sends: 'ClientHello messages to each TLS server of the host, with ephemeral Diffie-Hellman suites; no HTTP.',
    proves:
      'The server sends a prime under 2,048 bits; a client that offers elliptic curves alone gets none. Shows a configuration; no connection was decrypted.',
    remedy:
      'Use elliptic curves (ECDHE) and leave DHE out, or give it a prime of 2048 bits or more. nginx: no DHE in `ssl_ciphers`, or `ssl_dhparam` with the file of `openssl dhparam 2048` or with ffdhe2048 of RFC 7919. Apache 2.4.7 and later take the length of the RSA key; older ones need an update. HAProxy: `tune.ssl.default-dh-param 2048`. Java: `-Djdk.tls.ephemeralDHKeySize=2048`. Postfix: `smtpd_tls_dh1024_param_file` with 2048 bits.',
    references: [
      'RFC 9325 §4.2: https://www.rfc-editor.org/rfc/rfc9325#section-4.2',
      'Logjam: https://weakdh.org',
      'RFC 7919: https://www.rfc-editor.org/rfc/rfc7919',
      'CWE-326: https://cwe.mitre.org/data/definitions/326.html',
    ],
  },
});

/** EXPORT and anonymous suites are a weakness of their own, whatever their prime. */
const isShort = ({ name, dhBits }: SuiteSeen): boolean =>
  dhBits !== undefined && dhBits < leastBits && hasForwardSecrecy(name) && !isUnprotected(name);

function vectorFor(bits: number): { cvss?: string } {
  if (bits <= brokenBits) return { cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:N' };
  return bits <= weakBits ? { cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:N' } : {};
}
