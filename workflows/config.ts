import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type CredentialFiles, readText } from '../kit/certificates.ts';
import { address, ConfigError, callbackSecret, count, list, logLevel, port, readConfig } from '../kit/config.ts';
import { coreTlsShape, readCoreTls } from '../kit/core-connection.ts';
import { readTemporal, type TemporalSettings, temporalShape } from '../kit/temporal-settings.ts';
import { type QueueName, queueNames } from './orchestration/queues.ts';
import { parseAnchors } from './probe/dns/dnssec/anchors.ts';
import { type AllowRule, parseAllowRules } from './probe/guard/allow.ts';
import type { CallbackSettings } from './run/callbacks.ts';

export type Config = {
  coreUrl: string;
  workerKey: string;
  /** How core is known, and what the worker shows it. */
  coreTls?: CredentialFiles;
  temporal: TemporalSettings;
  /** Queues that this process works on. */
  queues: QueueName[];
  targetAllow: AllowRule[];
  /** "ip:port"; the system's when not given. */
  dnsServer?: string;
  /** Keys that DNSSEC is validated by instead of the root's; see `parseAnchors`. */
  dnsAnchors?: string[];
  /** Where mail servers listen; 0 to ask none. */
  mailPort: number;
  /** PEM. */
  extraCa?: string;
  chromiumPath?: string;
  /** With "off" the browser has no sandbox of its own; otherwise there is a sandbox or no browser. */
  browserSandbox: 'on' | 'off';
  /** The listener for callbacks; checks that need one are not run without. */
  callbacks?: CallbackSettings;
  requestsPerSecond: number;
  /** Where data on JavaScript libraries is fetched; the data that is shipped will do when not given. */
  libraryDataUrl?: string;
  operationsHost: string;
  operationsPort: number;
  logLevel: string;
  /** Where what takes time to make is kept between starts. */
  cacheFolder: string;
};

/** The data that Retire.js publishes. */
const libraryDataUrl = 'https://raw.githubusercontent.com/RetireJS/retire.js/master/repository/jsrepository-v5.json';

/**
 * Reads the worker's settings.
 * @throws ConfigError naming every bad variable
 */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const settings = readConfig(
    {
      CORE_URL: z.url({ protocol: /^https?$/ }).default('http://127.0.0.1:7300'),
      WORKER_KEY: z.string('is not set').startsWith('sa_', 'use a worker key that core issued'),
      ...coreTlsShape,
      ...temporalShape,
      QUEUES: list().transform(readQueues),
      TARGET_ALLOW: list().transform(readAllowRules),
      DNS_SERVER: address().optional(),
      DNSSEC_ANCHORS: list().transform(readAnchors),
      MAIL_PORT: port(25),
      EXTRA_CA_FILE: z.string().optional(),
      CHROMIUM_PATH: z.string().optional(),
      BROWSER_SANDBOX: z.enum(['on', 'off'], 'use on or off').default('on'),
      CALLBACK_HOST: z
        .string()
        .regex(callbackHost, 'use the domain of the listener, or its host with a port, for instance cb.example.com')
        .optional(),
      CALLBACK_SECRET: callbackSecret().optional(),
      REQUESTS_PER_SECOND: count(20, 1),
      LIBRARY_DATA_URL: z
        .string()
        .refine(isAddressOrOff, 'use an http or https address, or off')
        .default(libraryDataUrl),
      OPERATIONS_HOST: z.string().default('127.0.0.1'),
      OPERATIONS_PORT: port(7303),
      LOG_LEVEL: logLevel(),
      XDG_CACHE_HOME: z.string().default(join(homedir(), '.cache')),
    },
    env,
  );
  const coreTls = readCoreTls(settings, settings.CORE_URL, 'CORE_URL');
  const { CALLBACK_HOST: host, CALLBACK_SECRET: secret } = settings;
  if (!host !== !secret) throw new ConfigError('CALLBACK_HOST and CALLBACK_SECRET belong together: set both or none.');
  return {
    coreUrl: settings.CORE_URL,
    ...(coreTls && { coreTls }),
    workerKey: settings.WORKER_KEY,
    temporal: readTemporal(settings),
    queues: settings.QUEUES,
    targetAllow: settings.TARGET_ALLOW,
    ...(settings.DNS_SERVER && { dnsServer: settings.DNS_SERVER }),
    ...(settings.DNSSEC_ANCHORS.length > 0 && { dnsAnchors: settings.DNSSEC_ANCHORS }),
    mailPort: settings.MAIL_PORT,
    ...(settings.EXTRA_CA_FILE && { extraCa: readText('EXTRA_CA_FILE', settings.EXTRA_CA_FILE) }),
    ...(settings.CHROMIUM_PATH && { chromiumPath: settings.CHROMIUM_PATH }),
    browserSandbox: settings.BROWSER_SANDBOX,
    ...(host && secret && { callbacks: { host: host.toLowerCase(), secret } }),
    requestsPerSecond: settings.REQUESTS_PER_SECOND,
    ...(settings.LIBRARY_DATA_URL !== 'off' && { libraryDataUrl: settings.LIBRARY_DATA_URL }),
    operationsHost: settings.OPERATIONS_HOST,
    operationsPort: settings.OPERATIONS_PORT,
    logLevel: settings.LOG_LEVEL,
    cacheFolder: join(settings.XDG_CACHE_HOME, 'scan-audit'),
  };
}

const callbackHost = /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$|^(?:[a-z0-9.-]+|\[[0-9a-f:]+\]):\d{1,5}$/i;

const isAddressOrOff = (value: string): boolean =>
  value === 'off' || /^https?:$/.test(URL.parse(value)?.protocol ?? '');

function readAnchors(lines: string[], context: z.RefinementCtx): string[] {
  try {
    if (lines.length > 0) parseAnchors(lines);
  } catch (error) {
    context.addIssue(error instanceof Error ? error.message : String(error));
  }
  return lines;
}

function readQueues(words: string[], context: z.RefinementCtx): QueueName[] {
  if (words.length === 0) return [...queueNames];
  const chosen = queueNames.filter((name) => words.includes(name));
  if (chosen.length !== new Set(words).size)
    context.addIssue(`use some of ${queueNames.join(', ')}, comma separated; all of them when not set`);
  return chosen;
}

function readAllowRules(rules: string[], context: z.RefinementCtx): AllowRule[] {
  try {
    return parseAllowRules(rules);
  } catch (error) {
    context.addIssue(error instanceof Error ? error.message : String(error));
    return [];
  }
}
