/** The word after the alignment of a "buddy allocator" file, which the Finder of macOS keeps a folder's looks in. */
const magic = Buffer.from('\0\0\0\x01Bud1', 'latin1');
/** What kinds of value a record may have, after the four letters of what it is about. */
const valueTypes = new Set(['bool', 'long', 'shor', 'type', 'blob', 'ustr', 'comp', 'dutc']);
const maxNames = 500;
const maxNameLength = 255;

/**
 * Names of the files and folders that a .DS_Store file has records of, each once.
 * A record is the length of a name, the name in UTF-16, four letters of what it is about and four of the kind of its value.
 * @returns undefined when the file is none
 */
export function dsStoreNames(body: Uint8Array): string[] | undefined {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (!bytes.subarray(0, magic.length).equals(magic)) return undefined;
  const names = new Set<string>();
  for (let at = magic.length; at + 12 < bytes.length && names.size < maxNames; at += 1) {
    const length = bytes.readUInt32BE(at);
    if (length === 0 || length > maxNameLength || at + 4 + length * 2 + 8 > bytes.length) continue;
    const end = at + 4 + length * 2;
    if (!valueTypes.has(bytes.toString('latin1', end + 4, end + 8))) continue;
    const name = Buffer.from(bytes.subarray(at + 4, end))
      .swap16()
      .toString('utf16le');
    if (!/[\p{Cc}/]/u.test(name) && name !== '.') names.add(name);
  }
  return names.size > 0 ? [...names] : undefined;
}
