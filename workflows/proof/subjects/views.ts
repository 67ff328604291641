import { shellWord } from '../shell.ts';

/** How an answer is shown that a terminal cannot show as it is. @property output what the command of the request prints */
export type ShellView = { output: 'show' | 'body'; lines(command: string): string[] };

/** What an answer took; of the answer nothing. */
export const timed: ShellView = {
  output: 'show',
  lines: (command) => [`${command} -o /dev/null -w '%{time_total} s\\n'`],
};

export const asItIs: ShellView = { output: 'show', lines: (command) => [command] };
const shownBytes = 600;

export const piped = (filter: string): ShellView => ({
  output: 'body',
  lines: (command) => [`${command} | ${filter}`],
});

/** The head of a gzip file in the place of that of a zlib stream (RFC 1950, RFC 1952); gzip misses its checksum at the end. */
export const inflated = piped(
  `{ printf '\\037\\213\\010\\0\\0\\0\\0\\0\\0\\0'; tail -c +3; } | gzip -cd 2>/dev/null; echo`,
);

export const unzipped = piped(`gzip -cd 2>/dev/null | { head -c ${shownBytes}; cat >/dev/null; }; echo`);
export const tablesIn = piped("tr -cs '[:print:]' '\\n' | grep -o 'CREATE TABLE [^(]*'");
/** Names stand in such files as text, in UTF-16 with zeros between the letters. */
export const namesInUtf16 = piped("tr -d '\\000' | tr -cs '[:print:]' '\\n' | sed -n 1,40p");

/** curl does not print what is no text, and a terminal should not. */
export const printable: ShellView = {
  output: 'show',
  // What is not shown is taken as well: curl would complain of a pipe that closes.
  lines: (command) => [`${command} --output - | { head -c ${shownBytes}; cat >/dev/null; } | cat -v`],
};

/** @param object id of one that is in the pack */
export const throughGit = (object: string): ShellView => ({
  output: 'body',
  lines: (command) => [
    'REPOSITORY=$(mktemp -d); git init -q "$REPOSITORY"',
    `${command} | git -C "$REPOSITORY" unpack-objects -q`,
    `git -C "$REPOSITORY" cat-file -p ${shellWord(object)}`,
    'rm -rf "$REPOSITORY"',
  ],
});

/** The names in an archive, by how it begins. */
export function listed(body: Uint8Array): ShellView {
  const start = Buffer.from(body.subarray(0, 2)).toString('latin1');
  if (start !== 'PK') return piped(`tar -t${start === '\x1f\x8b' ? 'z' : ''}`);
  const lines = (command: string) => [
    'ARCHIVE=$(mktemp)',
    `${command} --output "$ARCHIVE"`,
    'unzip -l "$ARCHIVE"',
    'rm "$ARCHIVE"',
  ];
  return { output: 'body', lines };
}
