import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { credentialFiles, readCredentials } from '../kit/certificates.ts';
import { count, drainDelay, list, logLevel, port, readConfig } from '../kit/config.ts';
import { coreTlsShape, readCoreTls } from '../kit/core-connection.ts';

export type GatewayConfig = ReturnType<typeof loadConfig>;

/** The gateway's settings. @throws ConfigError naming every bad variable */
export function loadConfig(env: Record<string, string | undefined>) {
  const settings = readConfig(
    {
      CORE_URL: z.url({ protocol: /^https?$/, error: 'use an http or https URL' }).default('http://127.0.0.1:7300'),
      ...coreTlsShape,
      GATEWAY_HOST: z.string().default('127.0.0.1'),
      GATEWAY_PORT: port(8080),
      GATEWAY_TLS_CERT_FILE: z.string().optional(),
      GATEWAY_TLS_KEY_FILE: z.string().optional(),
      TRUSTED_PROXIES: list().refine((proxies) => proxies.every(isAddressOrNetwork), {
        error: 'use IP addresses and networks separated by commas, for instance 10.0.0.0/8',
      }),
      FAILED_KEYS_PER_MINUTE: count(600, 1),
      OPERATIONS_HOST: z.string().default('127.0.0.1'),
      OPERATIONS_PORT: port(0),
      DRAIN_DELAY_MS: drainDelay(),
      LOG_LEVEL: logLevel(),
    },
    env,
  );
  const coreTls = readCoreTls(settings, settings.CORE_URL, 'CORE_URL');
  const tls = credentialFiles(settings, { cert: 'GATEWAY_TLS_CERT_FILE', key: 'GATEWAY_TLS_KEY_FILE' });
  readCredentials(tls);
  return {
    coreUrl: settings.CORE_URL,
    /** How core is known, and what the gateway shows it. */
    ...(coreTls && { coreTls }),
    /** HTTPS when given. */
    ...(tls.cert && { tls }),
    host: settings.GATEWAY_HOST,
    port: settings.GATEWAY_PORT,
    trustedProxies: settings.TRUSTED_PROXIES,
    maxFailedKeysPerMinute: settings.FAILED_KEYS_PER_MINUTE,
    operationsHost: settings.OPERATIONS_HOST,
    operationsPort: settings.OPERATIONS_PORT,
    drainDelayMs: settings.DRAIN_DELAY_MS,
    logLevel: settings.LOG_LEVEL,
  };
}

function isAddressOrNetwork(text: string): boolean {
  return isIP(text) !== 0 || ipaddr.isValidCIDR(text);
}
