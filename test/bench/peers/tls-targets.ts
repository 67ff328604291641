import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { startNameServer } from '../../fixtures/name-server.ts';
import { modp2Pem } from '../../fixtures/tls/dh-params.ts';
import { security } from '../sites/small-site.ts';
import { type Authority, type Issued, makeExpired } from './authority.ts';
import { tlsWeaknesses } from './truth.ts';
import type { Target } from './types.ts';

export type Running<T> = { targets: T[]; close(): Promise<void> };

const kinds: Record<keyof typeof tlsWeaknesses, ServerOptions> = {
  good: { minVersion: 'TLSv1.2' },
  old: { minVersion: 'TLSv1', ciphers: 'ECDHE+AES:@SECLEVEL=0' },
  expired: { minVersion: 'TLSv1.2' },
  weak: { maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256:NULL-SHA256:@SECLEVEL=0' },
  dhe: { maxVersion: 'TLSv1.2', ciphers: 'DHE-RSA-AES128-GCM-SHA256:@SECLEVEL=0', dhparam: modp2Pem() },
};

const isKind = (name: string): name is keyof typeof kinds => name in kinds;

/** A public name: what is trusted at local ones only their owners know. */
const domain = 'tls.example.com';

/** Starts five servers that differ in their TLS alone, and a name server that knows them. */
export async function startTlsTargets(authority: Authority): Promise<Running<Target>> {
  const certificateFor = (host: string): Promise<Issued> =>
    host.startsWith('expired.') ? makeExpired(host) : authority.issue(host);
  const names = await startNameServer({ [`*.${domain} A`]: ['127.0.0.1'] });
  const started = await Promise.all(
    Object.keys(kinds)
      .filter(isKind)
      .map(async (name) => {
        const host = `${name}.${domain}`;
        return start(name, host, names.address, { ...kinds[name], ...(await certificateFor(host)) });
      }),
  );
  return {
    targets: started.map(({ target }) => target),
    async close() {
      await Promise.all(started.map(({ close }) => close()));
      names.close();
    },
  };
}

async function start(name: keyof typeof kinds, host: string, dnsServer: string, options: ServerOptions) {
  let connections = 0;
  const server = createServer(options, (_request, response) => {
    response.writeHead(200, { ...security, 'content-type': 'text/plain' }).end('hello');
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const target: Target = {
    ...{ name: `TLS: ${name}`, kind: 'tls', host, port, url: `https://${host}:${port}/`, dnsServer },
    planted: tlsWeaknesses[name],
    isTwin: false,
    arrived: () => connections,
  };
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { target, close };
}
