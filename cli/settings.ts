import { z } from 'zod';
import { ConfigError, readConfig } from '../kit/config.ts';
import { Trouble } from './trouble.ts';

export type EnvironmentVariables = Record<string, string | undefined>;

/** Where the API is, and who asks. */
export type Settings = { apiUrl: string; key: string };

const shape = {
  SCAN_AUDIT_API: z.string().optional(),
  SCAN_AUDIT_KEY: z.string().optional(),
};

/**
 * The key comes from the environment alone: what is on a command line can be read by every process of the machine.
 * @param api of the option --api, which goes before SCAN_AUDIT_API
 * @throws Trouble
 */
export function readSettings(env: EnvironmentVariables, api: string | undefined): Settings {
  try {
    const { SCAN_AUDIT_API, SCAN_AUDIT_KEY } = readConfig(shape, env);
    return { apiUrl: readApiUrl(api ?? SCAN_AUDIT_API), key: readKey(SCAN_AUDIT_KEY) };
  } catch (error) {
    throw error instanceof ConfigError ? new Trouble(error.message) : error;
  }
}

function readApiUrl(text: string | undefined): string {
  if (text === undefined)
    throw new Trouble(
      'No API is named: set SCAN_AUDIT_API or give --api, for instance --api https://audit.example.com',
    );
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.host === '')
    throw new Trouble(`"${text}" is not the address of an API: begin it with https://`);
  if (url.username !== '' || url.password !== '')
    throw new Trouble('Leave user name and password out of the address of the API: the key is in SCAN_AUDIT_KEY.');
  return `${url.origin}${url.pathname.replace(/\/(api\/v1\/?)?$/, '')}`;
}

function readKey(text: string | undefined): string {
  const key = text?.trim();
  if (!key)
    throw new Trouble('No API key: set SCAN_AUDIT_KEY to a key of your organisation, as a secret of the pipeline.');
  if (/[^\x21-\x7e]/.test(key))
    throw new Trouble('SCAN_AUDIT_KEY has characters that no API key has: copy the key again.');
  return key;
}

/** Whether the key would go over a network unencrypted. */
export function isUnprotected({ apiUrl }: Settings): boolean {
  const { protocol, hostname } = new URL(apiUrl);
  return protocol === 'http:' && !/^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}
