import { join, resolve } from 'node:path';
import { z } from 'zod';
import { address, ConfigError, port, readConfig } from '../kit/config.ts';

export type Environment = Record<string, string | undefined>;

export type StackConfig = {
  /** Data folder: databases, keys, logs, reports. */
  home: string;
  /** 0 means any free one. */
  ports: {
    gateway: number;
    core: number;
    postgres: number;
    temporal: number;
    demo: number;
    demoDns: number;
    listener: number;
  };
  /** A PostgreSQL of the user's own. */
  database?: { url: string; ownerUrl: string };
  /** A Temporal server of the user's own. */
  temporal?: { address: string; namespace: string };
  /** Workflows are kept in memory and lost with the server. */
  temporalInMemory: boolean;
  /** What the programs get besides the settings that the stack makes for them. */
  env: Environment;
};

export const projectFolder = resolve(import.meta.dirname, '..');

const postgresUrl = () => z.url({ protocol: /^postgres(ql)?$/, error: 'use postgresql://role:password@host/database' });

/** The stack's settings. @throws ConfigError naming every bad variable */
export function loadStackConfig(env: Environment): StackConfig {
  const settings = readConfig(
    {
      SCAN_AUDIT_HOME: z.string().default(join(projectFolder, '.data')),
      GATEWAY_PORT: port(8080),
      CORE_PORT: port(7300),
      POSTGRES_PORT: port(0),
      TEMPORAL_PORT: port(0),
      DEMO_PORT: port(0),
      DEMO_DNS_PORT: port(0),
      LISTENER_HTTP_PORT: port(0),
      DATABASE_URL: postgresUrl().optional(),
      DATABASE_OWNER_URL: postgresUrl().optional(),
      TEMPORAL_ADDRESS: address().optional(),
      TEMPORAL_NAMESPACE: z.string().default('default'),
      TEMPORAL_STORE: z.enum(['file', 'memory'], 'use file or memory').default('file'),
    },
    env,
  );
  const { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl, TEMPORAL_ADDRESS: temporal } = settings;
  if (!url !== !ownerUrl)
    throw new ConfigError('DATABASE_URL and DATABASE_OWNER_URL belong together: set both or none.');
  return {
    home: resolve(settings.SCAN_AUDIT_HOME),
    ports: {
      gateway: settings.GATEWAY_PORT,
      core: settings.CORE_PORT,
      postgres: settings.POSTGRES_PORT,
      temporal: settings.TEMPORAL_PORT,
      demo: settings.DEMO_PORT,
      demoDns: settings.DEMO_DNS_PORT,
      listener: settings.LISTENER_HTTP_PORT,
    },
    ...(url && ownerUrl ? { database: { url, ownerUrl } } : {}),
    ...(temporal ? { temporal: { address: temporal, namespace: settings.TEMPORAL_NAMESPACE } } : {}),
    temporalInMemory: settings.TEMPORAL_STORE === 'memory',
    env,
  };
}
