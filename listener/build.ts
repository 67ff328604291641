import type { Socket } from 'node:dgram';
import type { AddressInfo, Server } from 'node:net';
import type { Client } from '@connectrpc/connect';
import { followCredentials } from '../kit/certificates.ts';
import type { Logger } from '../kit/logger.ts';
import type { CallbackService } from '../proto/gen/scanaudit/v1/callbacks_pb.ts';
import { ownCertificate } from './certificate.ts';
import type { ListenerConfig } from './config.ts';
import { dnsServer } from './dns.ts';
import { httpServer, httpsServer } from './http.ts';
import { createReporter } from './reporter.ts';
import { smtpSink } from './smtp.ts';

type ListenerPorts = { http: number; https?: number; dns?: number; smtp?: number };

type Listener = {
  /** Ports that are listened to. */
  ports: ListenerPorts;
  /** Callbacks that were never reported to core. */
  lost(): number;
  close(): Promise<void>;
};

/** Listens for callbacks of audited hosts and reports them to core. It keeps nothing: any number may run. */
export async function startListener(
  config: Pick<ListenerConfig, 'host' | 'ports' | 'secret' | 'tls' | 'address'>,
  { core, logger }: { core: Client<typeof CallbackService>; logger: Logger },
): Promise<Listener> {
  const { host, ports: wanted, secret, address } = config;
  const reporter = createReporter({ core, secret, logger });
  const servers: (Server | Socket)[] = [];
  const ports: ListenerPorts = { http: await listen(servers, httpServer(reporter), wanted.http, host) };
  if (wanted.https !== undefined) {
    const own = config.tls ? undefined : await ownCertificate();
    const credentials = config.tls ? followCredentials(config.tls, logger) : () => own ?? {};
    ports.https = await listen(servers, httpsServer(reporter, credentials, logger), wanted.https, host);
  }
  if (wanted.dns !== undefined) ports.dns = await bind(servers, dnsServer(reporter, address), wanted.dns, host);
  if (wanted.smtp !== undefined) ports.smtp = await listen(servers, smtpSink(reporter), wanted.smtp, host);
  return {
    ports,
    lost: reporter.lost,
    async close() {
      await Promise.all(servers.map(closed));
      await reporter.close();
    },
  };
}

async function listen(servers: (Server | Socket)[], server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  servers.push(server);
  return (server.address() as AddressInfo).port;
}

async function bind(servers: (Server | Socket)[], socket: Socket, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => socket.once('error', reject).bind(port, host, resolve));
  // An answer that cannot be sent concerns nobody else.
  socket.removeAllListeners('error').on('error', () => {});
  servers.push(socket);
  return socket.address().port;
}

const closed = (server: Server | Socket): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    if ('closeAllConnections' in server && typeof server.closeAllConnections === 'function')
      server.closeAllConnections();
  });
