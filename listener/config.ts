import { z } from 'zod';
import { credentialFiles, readCredentials } from '../kit/certificates.ts';
import { callbackSecret, logLevel, optionalPort, port, readConfig } from '../kit/config.ts';
import { coreTlsShape, readCoreTls } from '../kit/core-connection.ts';

export type ListenerConfig = ReturnType<typeof loadConfig>;

/** The listener's settings. A protocol without a port is not listened to. @throws ConfigError naming every bad variable */
export function loadConfig(env: Record<string, string | undefined>) {
  const settings = readConfig(
    {
      CORE_URL: z.url({ protocol: /^https?$/, error: 'use an http or https URL' }).default('http://127.0.0.1:7300'),
      ...coreTlsShape,
      LISTENER_KEY: z.string('is not set').startsWith('sa_', 'use a listener key that core issued'),
      CALLBACK_SECRET: callbackSecret(),
      LISTENER_HOST: z.string().default('127.0.0.1'),
      LISTENER_HTTP_PORT: port(8090),
      LISTENER_HTTPS_PORT: optionalPort(),
      LISTENER_TLS_CERT_FILE: z.string().optional(),
      LISTENER_TLS_KEY_FILE: z.string().optional(),
      LISTENER_DNS_PORT: optionalPort(),
      LISTENER_SMTP_PORT: optionalPort(),
      LISTENER_ADDRESS: z.ipv4('use the public IPv4 address of the listener').optional(),
      OPERATIONS_HOST: z.string().default('127.0.0.1'),
      OPERATIONS_PORT: port(0),
      LOG_LEVEL: logLevel(),
    },
    env,
  );
  const coreTls = readCoreTls(settings, settings.CORE_URL, 'CORE_URL');
  const tls = credentialFiles(settings, { cert: 'LISTENER_TLS_CERT_FILE', key: 'LISTENER_TLS_KEY_FILE' });
  readCredentials(tls);
  const { LISTENER_HTTPS_PORT: https, LISTENER_DNS_PORT: dns, LISTENER_SMTP_PORT: smtp } = settings;
  return {
    coreUrl: settings.CORE_URL,
    ...(coreTls && { coreTls }),
    key: settings.LISTENER_KEY,
    secret: settings.CALLBACK_SECRET,
    host: settings.LISTENER_HOST,
    ports: {
      http: settings.LISTENER_HTTP_PORT,
      ...(https !== undefined && { https }),
      ...(dns !== undefined && { dns }),
      ...(smtp !== undefined && { smtp }),
    },
    /** Of HTTPS; one that is made at the start and that nobody trusts when not given. */
    ...(tls.cert && { tls }),
    /** What names with a token resolve to. */
    ...(settings.LISTENER_ADDRESS && { address: settings.LISTENER_ADDRESS }),
    operationsHost: settings.OPERATIONS_HOST,
    operationsPort: settings.OPERATIONS_PORT,
    logLevel: settings.LOG_LEVEL,
  };
}
