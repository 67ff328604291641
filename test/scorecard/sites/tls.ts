import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeAuthority, makeCertificate, rsa, type TestCertificate } from '../../fixtures/certificates.ts';
import { startNameServer } from '../../fixtures/name-server.ts';
import { startNode } from '../../fixtures/tls/node.ts';
import { type JavaServer, startJava, startOpenssl } from '../../fixtures/tls/programs.ts';
import { startScripted } from '../../fixtures/tls/scripted.ts';
import type { ScoreCase, ScoreSite, Variant } from '../case.ts';

export const host = 'www.northwind.shop';

/** An authority that clients trust, and a certificate of each kind from it. */
export const root: TestCertificate = await makeAuthority('Northwind Root', { key: rsa(2_048) });
export const byRoot = {
  rsa: await makeCertificate({ commonName: host, issuer: root, key: rsa(2_048) }),
  ec: await makeCertificate({ commonName: host, issuer: root }),
};

type Started = { port: number; close(): Promise<void> };

/** A server under a name of the public internet. */
async function named(server: Started): Promise<ScoreSite> {
  const names = await startNameServer({ [`${host} A`]: ['127.0.0.1'] });
  return {
    url: `https://${host}:${server.port}/`,
    options: { dnsServer: names.address, hosts: [host], authority: root.cert },
    async close() {
      await server.close();
      names.close();
    },
  };
}

type OptionsFor = (variant: Variant) => ServerOptions | Promise<ServerOptions>;

/** A web server in Node. */
export const inNode = (name: string, optionsFor: OptionsFor): ScoreCase => ({
  name,
  start: async (variant) => named(await startNode(await optionsFor(variant))),
});

type Stapling = { pem: ServerOptions; staple?: Buffer };

/** A web server in Node that sends a response of OCSP, or none. */
export const staplingInNode = (name: string, of: (variant: Variant) => Promise<Stapling>): ScoreCase => ({
  name,
  async start(variant) {
    const { pem, staple } = await of(variant);
    return named(await startNode(pem, staple));
  },
});

/** The same by OpenSSL, out of a file. */
export const staplingInOpenssl = (
  name: string,
  cert: TestCertificate,
  of: (variant: Variant) => Promise<Buffer>,
): ScoreCase => ({
  name,
  async start(variant) {
    const folder = await mkdtemp(join(tmpdir(), 'stapling-'));
    const file = join(folder, 'response');
    await writeFile(file, await of(variant));
    const server = await startOpenssl(cert, ['-status_file', file]);
    return named({
      port: server.port,
      close: async () => {
        await server.close();
        await rm(folder, { recursive: true, force: true });
      },
    });
  },
});

/** The suites of TLS 1.2 of a web server in Node, with a certificate of RSA. */
export const withCiphers = (name: string, vulnerable: string, patched: string): ScoreCase =>
  inNode(name, (variant) => ({
    ...byRoot.rsa,
    minVersion: 'TLSv1.2',
    ciphers: variant === 'vulnerable' ? vulnerable : patched,
  }));

/** A web server in Java; `dhBits` is the length of its primes. */
export const inJava = (
  name: string,
  vulnerable: Omit<JavaServer, 'name'>,
  patched: Omit<JavaServer, 'name'>,
  dhBits: Record<Variant, number> = { vulnerable: 2_048, patched: 2_048 },
): ScoreCase => ({
  name,
  async start(variant) {
    const servers = await startJava(
      byRoot.rsa,
      [{ name: 'site', ...{ vulnerable, patched }[variant] }],
      dhBits[variant],
    );
    return named({ port: servers.port('site') ?? 0, close: servers.close });
  },
});

/** A server by OpenSSL with these options. */
export const withOpenssl = (name: string, vulnerable: string[], patched: string[]): ScoreCase => ({
  name,
  start: async (variant) => named(await startOpenssl(byRoot.ec, { vulnerable, patched }[variant])),
});

type Script = Omit<Parameters<typeof startScripted>[0], 'cert'>;

/** An appliance that no library at hand is as old as. */
export const scripted = (name: string, vulnerable: Script, patched: Script): ScoreCase => ({
  name,
  start: async (variant) => named(await startScripted({ ...{ vulnerable, patched }[variant], cert: byRoot.rsa.cert })),
});
