import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { address, ConfigError, count, logLevel, port, readConfig } from '../kit/config.ts';
import type { BuildOptions } from './build.ts';
import type { EncryptionKey } from './crypto.ts';
import type { TlsSettings } from './server.ts';

export type Config = {
  host: string;
  port: number;
  operationsPort: number;
  logLevel: string;
  /** When given, migrations are applied at the start. */
  databaseOwnerUrl?: string;
  build: Omit<BuildOptions, 'log' | 'services'>;
};

const required = () => z.string('is not set');

const postgresUrl = () =>
  required().refine((text) => {
    const url = URL.parse(text);
    return ['postgres:', 'postgresql:'].includes(url?.protocol ?? '') && url?.username !== '';
  }, 'use postgres://role:password@host:port/database');

/** "id:base64" pairs, the first being the one that encrypts. */
const encryptionKeys = () =>
  required().transform((text, context): EncryptionKey[] => {
    const keys = text.split(',').map((pair) => {
      const [, id = '', base64 = ''] = /^([\w-]{1,32}):([A-Za-z0-9+/_-]+=*)$/.exec(pair.trim()) ?? [];
      return { id, key: Buffer.from(base64, 'base64') };
    });
    if (keys.some(({ key }) => key.length !== 32))
      context.addIssue('use id:base64-of-32-bytes, comma separated; "openssl rand -base64 32" makes a key');
    if (new Set(keys.map(({ id }) => id)).size < keys.length) context.addIssue('give each key a name of its own');
    return keys;
  });

/**
 * Reads the program's settings.
 * @throws ConfigError naming every bad variable
 */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const settings = readConfig(
    {
      DATABASE_URL: postgresUrl(),
      DATABASE_OWNER_URL: postgresUrl().optional(),
      DATABASE_POOL_SIZE: count(10, 2),
      CORE_HOST: z.string().default('127.0.0.1'),
      CORE_PORT: port(7300),
      CORE_TLS_CERT_FILE: z.string().optional(),
      CORE_TLS_KEY_FILE: z.string().optional(),
      CORE_TLS_CLIENT_CA_FILE: z.string().optional(),
      TEMPORAL_ADDRESS: address('127.0.0.1:7233'),
      TEMPORAL_NAMESPACE: z.string().default('default'),
      TASK_QUEUE_PREFIX: z.string().default('scan-audit'),
      ENCRYPTION_KEYS: encryptionKeys(),
      CHECKOUT_URL: z.url({ protocol: /^https?$/ }).optional(),
      OPERATIONS_PORT: port(7301),
      LOG_LEVEL: logLevel(),
    },
    env,
  );
  const tls = readTls(settings.CORE_TLS_CERT_FILE, settings.CORE_TLS_KEY_FILE, settings.CORE_TLS_CLIENT_CA_FILE);
  return {
    host: settings.CORE_HOST,
    port: settings.CORE_PORT,
    operationsPort: settings.OPERATIONS_PORT,
    logLevel: settings.LOG_LEVEL,
    ...(settings.DATABASE_OWNER_URL && { databaseOwnerUrl: settings.DATABASE_OWNER_URL }),
    build: {
      databaseUrl: settings.DATABASE_URL,
      databasePoolSize: settings.DATABASE_POOL_SIZE,
      temporal: {
        address: settings.TEMPORAL_ADDRESS,
        namespace: settings.TEMPORAL_NAMESPACE,
        taskQueuePrefix: settings.TASK_QUEUE_PREFIX,
      },
      encryptionKeys: settings.ENCRYPTION_KEYS,
      ...(settings.CHECKOUT_URL && { checkoutUrl: settings.CHECKOUT_URL }),
      ...(tls && { tls }),
    },
  };
}

function readTls(certFile?: string, keyFile?: string, clientCaFile?: string): TlsSettings | undefined {
  if (!certFile && !keyFile && !clientCaFile) return undefined;
  if (!certFile || !keyFile)
    throw new ConfigError('CORE_TLS_CERT_FILE and CORE_TLS_KEY_FILE: give both, or none for plain text.');
  const cert = readPem('CORE_TLS_CERT_FILE', certFile);
  const key = readPem('CORE_TLS_KEY_FILE', keyFile);
  return { cert, key, ...(clientCaFile && { clientCa: readPem('CORE_TLS_CLIENT_CA_FILE', clientCaFile) }) };
}

function readPem(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`${variable}: cannot read ${file}`, { cause: error });
  }
}
