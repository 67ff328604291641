import { bytesOfText } from '../model/wire-bytes.ts';

const control = /\p{Cc}/u;

/**
 * One word of a command line for any POSIX shell (IEEE Std 1003.1 §2.2), whatever the string holds.
 * Control characters are made by printf, so that the command stays on one line. NUL cannot stand in an argument and is left out.
 */
export function shellWord(text: string): string {
  const printed = text.replaceAll('\0', '');
  if (!control.test(printed)) return singleQuoted(printed);
  // The substitution drops trailing newlines; nothing that stands in an argument of curl needs them.
  return `"$(printf ${singleQuoted(printfFormat(printed))})"`;
}

const singleQuoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** A format for printf(1) that prints exactly this text, bytes that are not printable ASCII as octal. */
export function printfFormat(text: string): string {
  let format = '';
  for (const byte of bytesOfText(text)) {
    const char = String.fromCharCode(byte);
    if (char === '%') format += '%%';
    else if (char === '\\') format += '\\\\';
    else if (byte < 0x20 || byte > 0x7e) format += `\\${byte.toString(8).padStart(3, '0')}`;
    else format += char;
  }
  // What begins with a dash would be an option.
  return format.replace(/^-/, '\\055');
}
