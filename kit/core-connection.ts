import { z } from 'zod';
import { type CredentialFiles, credentialFiles, readCredentials } from './certificates.ts';
import { ConfigError } from './config.ts';

/** Settings of whoever calls core over TLS. */
export const coreTlsShape = {
  CORE_CA_FILE: z.string().optional(),
  CORE_CLIENT_CERT_FILE: z.string().optional(),
  CORE_CLIENT_KEY_FILE: z.string().optional(),
};

type CoreTlsSettings = { [K in keyof typeof coreTlsShape]?: string | undefined };

/**
 * Files that a client of core shows itself with, and that it knows core by; the system's authorities when none is given.
 * @param url of core
 * @param urlSetting what the URL was set with
 * @throws ConfigError when a file cannot be used, or the URL is one of plain text
 */
export function readCoreTls(settings: CoreTlsSettings, url: string, urlSetting: string): CredentialFiles | undefined {
  const names = { ca: 'CORE_CA_FILE', cert: 'CORE_CLIENT_CERT_FILE', key: 'CORE_CLIENT_KEY_FILE' };
  const files = credentialFiles(settings, names);
  const [first] = Object.values(files);
  if (first === undefined) return undefined;
  if (!url.startsWith('https:'))
    throw new ConfigError(`${urlSetting}: use https:// with ${first.setting}; http:// is plain text`);
  readCredentials(files);
  return files;
}
