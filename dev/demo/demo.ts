import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { buildApp } from './app.ts';
import { serverCertificate } from './certificate.ts';
import { deploy } from './checkout.ts';
import { openDatabase } from './database.ts';
import { demoHost } from './identities.ts';
import { startNameServer } from './names/name-server.ts';
import { createShop } from './visit.ts';
import { asBuilt, patched, type Weaknesses } from './weaknesses.ts';

type DemoOptions = {
  /** Keeps the authority, and for each twin its database and deployed site. */
  folder: string;
  /** 0 means any free one. */
  port: number;
  /** Of the name server; any free one by default. */
  dnsPort?: number;
  /** "ip:port" that the name server asks about other names; what the system asks by default. */
  resolver?: string | undefined;
  /** Serves the repaired twin. A record leaves some of the weaknesses in. */
  patched: boolean | Weaknesses;
  /** Signs what the patched twin signs; made at each start when not given. */
  sessionSecret?: string | undefined;
};

export type Demo = {
  url: string;
  caFile: string;
  /** "ip:port" of the name server that has the shop's records. */
  dnsServer: string;
  close(): Promise<void>;
};

/** Starts the shop on a loopback port over HTTPS, and a name server beside it. */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const weaknesses = typeof options.patched === 'boolean' ? (options.patched ? patched : asBuilt) : options.patched;
  const folder = resolve(options.folder);
  const home = join(folder, options.patched === false ? 'shop' : 'shop-patched');
  const siteFolder = join(home, 'site');
  const { signingKey } = await deploy(siteFolder, weaknesses);
  const { keyPem, certificatePem, caFile } = await serverCertificate(folder, demoHost);
  const database = openDatabase(join(home, 'shop.db'));
  const ownSecret = options.sessionSecret ?? randomBytes(32).toString('base64url');
  const isKeyDeployed = weaknesses.roleFromSignedToken || weaknesses.weakSigningKey;
  const secret = isKeyDeployed ? signingKey : ownSecret;
  const app = buildApp(createShop({ weaknesses, database, siteFolder, secret }), { key: keyPem, cert: certificatePem });
  app.addHook('onClose', async () => database.close());
  const names = await startNameServer({
    weaknesses,
    port: options.dnsPort ?? 0,
    ...(options.resolver === undefined ? {} : { upstream: { servers: [options.resolver] } }),
  });
  app.addHook('onClose', () => names.close());
  await app.listen({ host: '127.0.0.1', port: options.port });
  const address = app.server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { url: `https://${demoHost}:${port}/`, caFile, dnsServer: names.address, close: () => app.close() };
}
