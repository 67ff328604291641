import { gunzipSync, constants as zlib } from 'node:zlib';

/** Archives are named by their first entries: enough to identify what they hold. */
const maxEntries = 100;
const maxUnpackedBytes = 16 * 1024 * 1024;
/** Entries whose names are none count as well. */
const maxLooks = 10_000;
const maxNameBytes = 4_096;

/**
 * Names of the entries that a ZIP or tar archive, gzipped or not, begins with. It may be cut off anywhere.
 * @returns undefined when it is no such archive
 */
export function archiveEntries(body: Uint8Array): string[] | undefined {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const names = bytes.indexOf(zipSignature) === 0 ? zipEntries(bytes) : tarEntries(gunzipped(bytes));
  return names.length > 0 ? names : undefined;
}

/** Local file header. Source: APPNOTE.TXT §4.3.7. */
const zipSignature = Buffer.from('PK\x03\x04', 'latin1');
const zipHeaderBytes = 30;

/** Sizes may stand behind the data, so the next entry is looked for instead of reckoned. */
function zipEntries(bytes: Buffer): string[] {
  const names: string[] = [];
  let at = 0;
  for (let looks = 0; at !== -1 && looks < maxLooks && names.length < maxEntries; looks += 1) {
    if (at + zipHeaderBytes > bytes.length) break;
    const start = at + zipHeaderBytes;
    const length = bytes.readUInt16LE(at + 26);
    const name = length > maxNameBytes ? '' : bytes.toString('utf8', start, start + length);
    if (isName(name)) names.push(name);
    at = bytes.indexOf(zipSignature, at + 1);
  }
  return names;
}

const tarBlockBytes = 512;

/** Blocks of 512 bytes with a magic word of their own. Source: POSIX.1-2017, pax, "ustar Interchange Format". */
function tarEntries(bytes: Buffer): string[] {
  const names: string[] = [];
  let at = 0;
  for (let looks = 0; at + tarBlockBytes <= bytes.length && looks < maxLooks && names.length < maxEntries; looks += 1) {
    if (bytes.toString('latin1', at + 257, at + 262) !== 'ustar') break;
    const name = bytes.toString('utf8', at, at + 100).replace(/\0.*$/s, '');
    const size = Number.parseInt(bytes.toString('latin1', at + 124, at + 136), 8);
    if (isName(name)) names.push(name);
    // A negative one would lead back to an entry that was read before.
    if (!Number.isFinite(size) || size < 0) break;
    at += tarBlockBytes * (1 + Math.ceil(size / tarBlockBytes));
  }
  return names;
}

const isName = (name: string): boolean => name !== '' && !/[\p{Cc}\uFFFD]/u.test(name);

function gunzipped(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    // What is cut off has no proper end.
    return gunzipSync(bytes, { finishFlush: zlib.Z_SYNC_FLUSH, maxOutputLength: maxUnpackedBytes });
  } catch {
    return Buffer.alloc(0);
  }
}
