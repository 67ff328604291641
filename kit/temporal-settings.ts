import { z } from 'zod';
import { credentialFiles, readCredentials } from './certificates.ts';
import { address, ConfigError } from './config.ts';

/** How a Temporal server or Temporal Cloud is reached; the SDK's own words. */
export type TemporalSettings = {
  /** "host:port". */
  address: string;
  namespace: string;
  /** Queues are "<prefix>.workflows", "<prefix>.standard" and "<prefix>.deep". */
  taskQueuePrefix: string;
  /** Plain text when not given. */
  tls?: {
    serverRootCACertificate?: Uint8Array;
    serverNameOverride?: string;
    clientCertPair?: { crt: Uint8Array; key: Uint8Array };
  };
  apiKey?: string;
};

export const temporalShape = {
  TEMPORAL_ADDRESS: address('127.0.0.1:7233'),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  TASK_QUEUE_PREFIX: z.string().default('scan-audit'),
  TEMPORAL_TLS: z.enum(['true', 'false'], 'use true or false').optional(),
  TEMPORAL_TLS_CA_FILE: z.string().optional(),
  TEMPORAL_TLS_CERT_FILE: z.string().optional(),
  TEMPORAL_TLS_KEY_FILE: z.string().optional(),
  TEMPORAL_TLS_SERVER_NAME: z.string().optional(),
  TEMPORAL_API_KEY: z.string().optional(),
};

const names = { ca: 'TEMPORAL_TLS_CA_FILE', cert: 'TEMPORAL_TLS_CERT_FILE', key: 'TEMPORAL_TLS_KEY_FILE' };

/**
 * Any setting of TLS, and an API key, switch TLS on.
 * @throws ConfigError when a file cannot be used, or TLS is off and needed
 */
export function readTemporal(settings: z.infer<z.ZodObject<typeof temporalShape>>): TemporalSettings {
  const { TEMPORAL_TLS_SERVER_NAME: serverNameOverride, TEMPORAL_API_KEY: apiKey } = settings;
  const files = credentialFiles(settings, names);
  const needs = Object.values(files).map(({ setting }) => setting);
  if (serverNameOverride) needs.push('TEMPORAL_TLS_SERVER_NAME');
  if (apiKey) needs.push('TEMPORAL_API_KEY');
  const isOn = settings.TEMPORAL_TLS ? settings.TEMPORAL_TLS === 'true' : needs.length > 0;
  if (!isOn && needs.length > 0) throw new ConfigError(`TEMPORAL_TLS: ${needs.join(', ')} cannot be used without TLS`);
  const { ca, cert, key } = readCredentials(files);
  return {
    address: settings.TEMPORAL_ADDRESS,
    namespace: settings.TEMPORAL_NAMESPACE,
    taskQueuePrefix: settings.TASK_QUEUE_PREFIX,
    ...(isOn && {
      tls: {
        ...(ca && { serverRootCACertificate: Buffer.from(ca) }),
        ...(serverNameOverride && { serverNameOverride }),
        ...(cert && key && { clientCertPair: { crt: Buffer.from(cert), key: Buffer.from(key) } }),
      },
    }),
    ...(apiKey && { apiKey }),
  };
}
