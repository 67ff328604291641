/**
 * Texts that are sent may stand for bytes that are no UTF-8: each byte above 127 is a character of plane 16, which is for private use, and
 * which fonts of icons do not use.
 */
const first = 0x10ff00;
const written = /([\u{10ff80}-\u{10ffff}]+)/u;

export const textOfBytes = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => String.fromCodePoint(byte < 0x80 ? byte : first + byte)).join('');

/** What goes on the wire: UTF-8, but for the bytes that stand in the text. */
export const bytesOfText = (text: string): Uint8Array =>
  Buffer.concat(
    text
      .split(written)
      .map((part, index) =>
        index % 2 === 0
          ? Buffer.from(part)
          : Buffer.from([...part].map((char) => (char.codePointAt(0) ?? first) - first)),
      ),
  );
