import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigError } from './config.ts';
import type { Logger } from './logger.ts';

/** One end of a TLS connection, as PEM texts. */
export type Credentials = {
  /** What this end shows, with its chain after it. */
  cert?: string;
  key?: string;
  /** Authorities that the other end's certificate must come from. */
  ca?: string;
};

/** The settings that name files of PEM texts. */
export type CredentialFiles = { [K in keyof Credentials]: { setting: string; file: string } };

/** How often files are looked at, at most. Milliseconds. */
const lookMs = 1_000;

const pem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Makes the description of files from settings; those that are not given are left out.
 * @throws ConfigError when there is a certificate without its key, or a key without its certificate
 */
export function credentialFiles(
  settings: Record<string, unknown>,
  names: { [K in keyof Credentials]: string },
): CredentialFiles {
  const files: CredentialFiles = {};
  for (const role of ['cert', 'key', 'ca'] as const) {
    const setting = names[role];
    const file = setting && settings[setting];
    if (setting && typeof file === 'string') files[role] = { setting, file };
  }
  if (!files.cert !== !files.key) throw new ConfigError(`${names.cert} and ${names.key}: give both, or none.`);
  return files;
}

/**
 * Reads the files and sees whether they can be used together.
 * @throws ConfigError naming the setting
 */
export function readCredentials(files: CredentialFiles): Credentials {
  const credentials: Credentials = {};
  for (const [role, { setting, file }] of entries(files)) credentials[role] = readText(setting, file);
  for (const role of ['cert', 'ca'] as const) {
    const text = credentials[role];
    if (text !== undefined) requireCertificates(text, `${files[role]?.setting}: ${files[role]?.file}`);
  }
  const { cert, key } = credentials;
  if (cert !== undefined && key !== undefined && !isPair(cert, key))
    throw new ConfigError(`${files.key?.setting}: ${files.key?.file} is not the key of ${files.cert?.file}`);
  return credentials;
}

/**
 * Follows files that are replaced while the program runs, as certificates are when they are renewed. Whoever makes a
 * connection asks; the files are looked at then, at most once a second. What cannot be used (a certificate that came
 * before its key) is logged, and the last good one stays.
 * @returns the same object for as long as nothing changed
 * @throws ConfigError when the first ones cannot be used
 */
export function followCredentials(files: CredentialFiles, log: Logger): () => Credentials {
  let current = readCredentials(files);
  let lookedAt = Date.now();
  let fault = '';
  return () => {
    if (Date.now() - lookedAt < lookMs) return current;
    lookedAt = Date.now();
    try {
      const next = readCredentials(files);
      fault = '';
      if (entries(files).every(([role]) => next[role] === current[role])) return current;
      current = next;
      log.info({ files: entries(files).map(([, { file }]) => file) }, 'certificates were replaced');
    } catch (error) {
      const message = String(error instanceof Error ? error.message : error);
      if (message !== fault) log.error({ fault: message }, 'certificates cannot be used: the last good ones stay');
      fault = message;
    }
    return current;
  };
}

const entries = (files: CredentialFiles) =>
  (['cert', 'key', 'ca'] as const).flatMap((role) => (files[role] ? [[role, files[role]] as const] : []));

/** @throws ConfigError */
export function readText(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`${setting}: cannot read ${file}`, { cause: error });
  }
}

function requireCertificates(text: string, place: string): void {
  const blocks = text.match(pem) ?? [];
  if (blocks.length === 0) throw new ConfigError(`${place} holds no PEM certificate`);
  try {
    for (const block of blocks) new X509Certificate(block);
  } catch (error) {
    throw new ConfigError(`${place} holds a certificate that cannot be read`, { cause: error });
  }
}

function isPair(cert: string, key: string): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}
