import { claim, type Experiment } from '../../model/experiment.ts';
import type { TlsServer } from '../../model/tls-hello.ts';
import { type HelloVersion, helloVersions, type TlsLook } from '../../model/tls-hello.ts';
import { hasForwardSecrecy, isUnprotected, suitesOf } from '../../probe/tls/hello/suites.ts';
import { defineCheck } from '../contract.ts';
import { type Accepted, acceptedOf, helloStep, type Keys, keysFor, written } from './tls-offers.ts';
import { judgeLooks } from './tls-servers.ts';

type Static = TlsServer & { keys: Keys; version: HelloVersion; fixed: string[]; ephemeral: string[] };

const isFixed = (name: string): boolean => !hasForwardSecrecy(name) && !isUnprotected(name);
const isEphemeral = (name: string): boolean => hasForwardSecrecy(name) && !isUnprotected(name);

/** Keys of connections hang on the server's long-term key alone. Source: RFC 9325 §4.1 and §7.3. */
export const forwardSecrecyMissing = defineCheck<Static>({
  id: 'tls.forward-secrecy-missing',
  title: 'No forward secrecy',
  cwe: 326,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  detect: (context) =>
    judgeLooks(context, async (look) => {
      const newest = newestOf(look);
      if (!newest || newest.fixed.length === 0) return undefined;
      const data = { keys: keysFor(look), ...newest };
      if (newest.ephemeral.length === 0) {
        const isAnywhere = look.versions.some(({ suites }) => suites.some(({ name }) => isEphemeral(name)));
        if (isAnywhere) return undefined;
        return { detail: 'The server has no key exchange with forward secrecy.', data };
      }
      const both = [...newest.ephemeral, ...newest.fixed];
      const offer = { versions: [newest.version], suites: both, ...data.keys };
      const { outcome, suite } = await context.tls.hello({ host: look.host, port: look.port, ...offer });
      if (outcome !== 'accepted' || !isFixed(suite)) return undefined;
      return {
        detail: `The server chooses ${suite}, although the client prefers forward secrecy and it has that.`,
        data,
      };
    }),

  confirm: (_context, { data }) => data && (data.ephemeral.length === 0 ? nothingElse(data) : chosen(data)),

  explain: {
    description:
      "The server makes the keys of connections by RSA key exchange or fixed Diffie-Hellman keys: whoever has the server's private key can work out the keys of all connections, of the past as well. With ephemeral keys (ECDHE, DHE, all of TLS 1.3) each connection has its own, which nobody keeps.",
    impact:
      'Somebody who records connections today and gets the private key at any later time, by a break-in, a backup or an old machine that is sold, can read all of them. RSA key exchange has been open to attacks by its padding again and again, too (ROBOT).',
    sends: 'ClientHello messages to each TLS server of the host, with ephemeral and with fixed key exchange; no HTTP.',
    proves:
      'The server refuses clients that offer ephemeral keys alone and accepts fixed ones, or it chooses fixed keys although the client prefers ephemeral ones and gets them when it offers nothing else. Shows a configuration; no connection was decrypted.',
    remedy:
      'Switch TLS 1.3 on, put suites with ECDHE first and leave those with RSA key exchange out. nginx: `ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers ECDHE+AESGCM:ECDHE+CHACHA20;`. Apache: `SSLCipherSuite ECDHE+AESGCM:ECDHE+CHACHA20` and `SSLHonorCipherOrder on`. HAProxy: the same after `ssl-default-bind-ciphers`. IIS: the order of suites by group policy. AWS load balancers: policy ELBSecurityPolicy-TLS13-1-2-2021-06.',
    references: [
      'RFC 9325 §4.1: https://www.rfc-editor.org/rfc/rfc9325#section-4.1',
      'ROBOT: https://robotattack.org',
      'CWE-326: https://cwe.mitre.org/data/definitions/326.html',
    ],
  },
});

/** What clients of today get; undefined with TLS 1.3, in which there is nothing else. */
function newestOf({ versions }: TlsLook): Omit<Static, 'host' | 'port' | 'keys'> | undefined {
  const newest = helloVersions.findLast((version) => versions.some((seen) => seen.version === version));
  if (newest === undefined || newest === 'TLSv1.3') return undefined;
  const ofNewest = versions.filter(({ version }) => version === newest);
  const suites = (fits: (name: string) => boolean) => acceptedOf(ofNewest, ({ name }) => fits(name))[0]?.suites ?? [];
  return { version: newest, fixed: suites(isFixed), ephemeral: suites(isEphemeral) };
}

const anyOf = (suites: readonly string[]) => claim('hello:suite', 'one-of', suites.join('|'));

function nothingElse(data: Static): Experiment {
  const { version, fixed } = data;
  const ephemeral: Accepted = { version, suites: suitesOf(version).filter(isEphemeral) };
  return {
    steps: [
      helloStep(data, ephemeral, 'A client that offers forward secrecy alone is refused.', [
        claim('hello:alert', 'present'),
        claim('hello:suite', 'absent'),
      ]),
      helloStep(data, { version, suites: fixed }, 'A client that offers fixed keys is not.', [anyOf(fixed)]),
    ],
    control: [
      helloStep(data, { version, suites: fixed }, 'It is not refused whatever it offers.', [
        claim('hello:alert', 'present'),
      ]),
    ],
  };
}

function chosen(data: Static): Experiment {
  const { version, fixed, ephemeral } = data;
  return {
    steps: [
      helloStep(
        data,
        { version, suites: [...ephemeral, ...fixed] },
        `A client of ${written(version)} that prefers forward secrecy is given none.`,
        [anyOf(fixed)],
      ),
    ],
    control: [
      helloStep(data, { version, suites: ephemeral }, 'A client that offers forward secrecy alone is given it.', [
        anyOf(fixed),
      ]),
    ],
  };
}
