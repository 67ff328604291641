import { z } from 'zod';
import { type CredentialFiles, type Credentials, credentialFiles, readCredentials } from '../kit/certificates.ts';
import { ConfigError, count, drainDelay, logLevel, port, readConfig } from '../kit/config.ts';
import { readTemporal, temporalShape } from '../kit/temporal-settings.ts';
import type { BuildOptions } from './build.ts';
import type { EncryptionKey } from './crypto.ts';
import { parameterFault } from './db/tls.ts';

export type CoreConfig = {
  host: string;
  port: number;
  operationsHost: string;
  operationsPort: number;
  drainDelayMs: number;
  logLevel: string;
  /** When given, migrations are applied at the start. */
  databaseOwnerUrl?: string;
  build: Omit<BuildOptions, 'log' | 'services'>;
};

const required = () => z.string('is not set');

const postgresUrl = () =>
  required().superRefine((text, context) => {
    const url = URL.parse(text);
    if (!url || !['postgres:', 'postgresql:'].includes(url.protocol) || url.username === '')
      return context.addIssue('use postgres://role:password@host:port/database');
    const fault = parameterFault(url);
    if (fault) context.addIssue(fault);
  });

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
export function loadConfig(env: Record<string, string | undefined>): CoreConfig {
  const settings = readConfig(
    {
      DATABASE_URL: postgresUrl(),
      DATABASE_OWNER_URL: postgresUrl().optional(),
      DATABASE_POOL_SIZE: count(10, 2),
      DATABASE_CA_FILE: z.string().optional(),
      DATABASE_CLIENT_CERT_FILE: z.string().optional(),
      DATABASE_CLIENT_KEY_FILE: z.string().optional(),
      CORE_HOST: z.string().default('127.0.0.1'),
      CORE_PORT: port(7300),
      CORE_TLS_CERT_FILE: z.string().optional(),
      CORE_TLS_KEY_FILE: z.string().optional(),
      CORE_TLS_CLIENT_CA_FILE: z.string().optional(),
      ...temporalShape,
      ENCRYPTION_KEYS: encryptionKeys(),
      CHECKOUT_URL: z.url({ protocol: /^https?$/ }).optional(),
      OPERATIONS_HOST: z.string().default('127.0.0.1'),
      OPERATIONS_PORT: port(7301),
      DRAIN_DELAY_MS: drainDelay(),
      LOG_LEVEL: logLevel(),
    },
    env,
  );
  const tls = readTls(settings);
  const databaseTls = readDatabaseTls(settings);
  return {
    host: settings.CORE_HOST,
    port: settings.CORE_PORT,
    operationsHost: settings.OPERATIONS_HOST,
    operationsPort: settings.OPERATIONS_PORT,
    drainDelayMs: settings.DRAIN_DELAY_MS,
    logLevel: settings.LOG_LEVEL,
    ...(settings.DATABASE_OWNER_URL && { databaseOwnerUrl: settings.DATABASE_OWNER_URL }),
    build: {
      databaseUrl: settings.DATABASE_URL,
      databasePoolSize: settings.DATABASE_POOL_SIZE,
      ...(databaseTls && { databaseTls }),
      temporal: readTemporal(settings),
      encryptionKeys: settings.ENCRYPTION_KEYS,
      ...(settings.CHECKOUT_URL && { checkoutUrl: settings.CHECKOUT_URL }),
      ...(tls && { tls }),
    },
  };
}

function readTls(settings: Record<string, unknown>): CredentialFiles | undefined {
  const names = { cert: 'CORE_TLS_CERT_FILE', key: 'CORE_TLS_KEY_FILE', ca: 'CORE_TLS_CLIENT_CA_FILE' };
  const files = credentialFiles(settings, names);
  if (!files.cert && files.ca)
    throw new ConfigError('CORE_TLS_CLIENT_CA_FILE: give CORE_TLS_CERT_FILE and CORE_TLS_KEY_FILE too.');
  if (!files.cert) return undefined;
  readCredentials(files);
  return files;
}

function readDatabaseTls(settings: {
  DATABASE_URL: string;
  DATABASE_OWNER_URL?: string | undefined;
}): Credentials | undefined {
  const names = { cert: 'DATABASE_CLIENT_CERT_FILE', key: 'DATABASE_CLIENT_KEY_FILE', ca: 'DATABASE_CA_FILE' };
  const files = credentialFiles(settings, names);
  const [first] = Object.values(files);
  if (!first) return undefined;
  for (const url of [settings.DATABASE_URL, settings.DATABASE_OWNER_URL])
    if (url && new URL(url).searchParams.get('sslmode') === 'disable')
      throw new ConfigError(`${first.setting}: of no use with sslmode=disable`);
  return readCredentials(files);
}
