import { createHash } from 'node:crypto';
import { gunzipSync, constants as zlib } from 'node:zlib';
import type { Exchange } from '../../model/http.ts';
import { dsStoreNames } from './ds-store.ts';
import { logKind } from './log-lines.ts';
import { logSecrets } from './log-secrets.ts';
import { privateKeys, publicKeyDigests } from './private-keys.ts';
import { type SettingFormat, secretSettingNames, settingFormats, settingNames } from './settings.ts';
import { sqliteTables } from './sqlite.ts';

type Reader = (exchange: Exchange) => string | undefined;

/** The head of a dump is enough; a bomb is refused. */
const maxPackedBytes = 65_536;
const maxUnpackedBytes = 16 * 1_048_576;
const maxTextBytes = 1_048_576;

const joined = (names: readonly string[] | undefined): string | undefined => names?.join('\n');

/** What a file is by its structure. None of these values holds a secret: names and kinds alone. */
const readers = new Map<string, Reader>([
  ['body:sqlite', ({ body }) => joined(sqliteTables(body))],
  ['body:ds-store', ({ body }) => joined(dsStoreNames(body))],
  ['body:private-keys', ({ body }) => joined(privateKeys(body))],
  ['body:public-key-digests', ({ body }) => joined(publicKeyDigests(body))],
  ['body:log', ({ text }) => logKind(text)],
  ['body:log-secrets', ({ text }) => logSecrets(text)],
  ['body:sha1', ({ body }) => createHash('sha1').update(body).digest('hex')],
  ['body:hex', ({ body }) => Buffer.from(body.subarray(0, 32)).toString('hex')],
  ['body:gunzip', ({ body }) => gunzipped(body)],
  ...settingFormats.flatMap((format: SettingFormat): [string, Reader][] => [
    [`body:settings:${format}`, ({ text }) => settingNames(format, text)],
    [`body:secret-settings:${format}`, ({ text }) => secretSettingNames(format, text)],
  ]),
]);

/** @returns undefined when the subject is not one of a file's structure */
export const fileReader = (subject: string): Reader | undefined => readers.get(subject);

function gunzipped(body: Uint8Array): string | undefined {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return undefined;
  try {
    // What is cut off has no proper end.
    const options = { finishFlush: zlib.Z_SYNC_FLUSH, maxOutputLength: maxUnpackedBytes };
    return gunzipSync(body.subarray(0, maxPackedBytes), options).toString('utf8', 0, maxTextBytes);
  } catch {
    return undefined;
  }
}
