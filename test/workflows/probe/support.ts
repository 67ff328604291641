import 'reflect-metadata';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import { createLogger } from '../../../kit/logger.ts';
import type { BudgetShare } from '../../../workflows/model/budget.ts';
import type { ProbeErrorCode } from '../../../workflows/model/probe-error.ts';
import { ProbeError } from '../../../workflows/model/probe-error.ts';
import type { BrowserPool } from '../../../workflows/probe/browser/launch.ts';
import { parseAllowRules } from '../../../workflows/probe/guard/allow.ts';
import { type OpenProbes, openProbes, type ProbesOptions } from '../../../workflows/probe/open.ts';

export const runId = '0193b2a0-0000-7000-8000-000000000001';

/** A server on a loopback port that counts its connections. */
export type Target = {
  server: NetServer;
  host: string;
  port: number;
  url: string;
  /** Connections so far, and the most that were open at one time. */
  connections(): number;
  mostAtOnce(): number;
  close(): Promise<void>;
};

/** Listens on loopback and counts; `close` ends what is still open. */
export async function listen(server: NetServer, scheme: string, host = 'shop.localhost'): Promise<Target> {
  const open = new Set<Socket>();
  let connections = 0;
  let mostAtOnce = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    open.add(socket);
    mostAtOnce = Math.max(mostAtOnce, open.size);
    socket.on('error', () => {}).once('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    server,
    host,
    port,
    url: `${scheme}://${host}:${port}`,
    connections: () => connections,
    mostAtOnce: () => mostAtOnce,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

export const httpTarget = (listener: RequestListener, host?: string): Promise<Target> =>
  listen(createServer(listener) satisfies Server, 'http', host);

export async function httpsTarget(listener: RequestListener, host = 'shop.localhost'): Promise<Target> {
  return listen(createTlsServer(await certificateFor(host), listener), 'https', host);
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A self-signed certificate, PEM. */
export async function certificateFor(
  host: string,
  validity: { notBefore?: Date; notAfter?: Date } = {},
): Promise<{ key: string; cert: string }> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '2a',
    name: `CN=${host}`,
    notBefore: validity.notBefore ?? new Date(Date.now() - 3_600_000),
    notAfter: validity.notAfter ?? new Date(Date.now() + 3_600_000),
    keys,
    signingAlgorithm: algorithm,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: host }])],
  });
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return { key: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`, cert: certificate.toString('pem') };
}

const share = (part: Partial<BudgetShare> = {}): BudgetShare => ({
  maxRequests: 1000,
  maxConnections: 5,
  requestsPerSecond: 500,
  deadlineMs: Date.now() + 60_000,
  ...part,
});

export type OpenOptions = Partial<Omit<ProbesOptions, 'share'>> & {
  share?: Partial<BudgetShare>;
  browsers?: BrowserPool;
  /** `host=cidr` rules; the loopback target's by default. */
  allow?: string[];
};

/** Instruments for a target on loopback. */
export function openFor(target: string, options: OpenOptions = {}): OpenProbes {
  const { allow = ['shop.localhost=127.0.0.0/8'], share: part, ...rest } = options;
  return openProbes({
    runId,
    target,
    guard: { allow: parseAllowRules(allow) },
    signal: new AbortController().signal,
    logger: createLogger('test', 'silent'),
    ...rest,
    share: share(part),
  });
}

/** The code that a probe failed with; fails when it did not. */
export async function codeOf(work: Promise<unknown>): Promise<ProbeErrorCode> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ProbeError) return error.code;
    throw error;
  }
  throw new Error('expected a ProbeError');
}
