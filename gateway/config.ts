import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { count, list, logLevel, port, readConfig } from '../kit/config.ts';

export type GatewayConfig = ReturnType<typeof loadConfig>;

/** The gateway's settings. @throws ConfigError naming every bad variable */
export function loadConfig(env: Record<string, string | undefined>) {
  const settings = readConfig(
    {
      CORE_URL: z.url({ protocol: /^https?$/, error: 'use an http or https URL' }).default('http://127.0.0.1:7300'),
      GATEWAY_HOST: z.string().default('127.0.0.1'),
      GATEWAY_PORT: port(8080),
      TRUSTED_PROXIES: list().refine((proxies) => proxies.every(isAddressOrNetwork), {
        error: 'use IP addresses and networks separated by commas, for instance 10.0.0.0/8',
      }),
      FAILED_KEYS_PER_MINUTE: count(600, 1),
      OPERATIONS_PORT: port(0),
      LOG_LEVEL: logLevel(),
    },
    env,
  );
  return {
    coreUrl: settings.CORE_URL,
    host: settings.GATEWAY_HOST,
    port: settings.GATEWAY_PORT,
    trustedProxies: settings.TRUSTED_PROXIES,
    maxFailedKeysPerMinute: settings.FAILED_KEYS_PER_MINUTE,
    operationsPort: settings.OPERATIONS_PORT,
    logLevel: settings.LOG_LEVEL,
  };
}

function isAddressOrNetwork(text: string): boolean {
  return isIP(text) !== 0 || ipaddr.isValidCIDR(text);
}
