import { shellWord } from '../shell.ts';
import type { Performed } from '../trial.ts';
import type { Output } from './request-words.ts';

/** How an answer is shown that a terminal cannot show as it is. */
type View = { output: Output; lines(command: string): string[] };

const asItIs: View = { output: 'show', lines: (command) => [command] };
const shownBytes = 600;

/** By what the step claims of the answer. */
export function viewOf({ step, observed }: Performed): View {
  const subjects = step.expect.map(({ subject }) => subject);
  const object = subjects.map((subject) => /^body:pack:([0-9a-f]{40})$/.exec(subject)?.[1]).find(Boolean);
  if (object) return throughGit(object);
  if (subjects.includes('body:inflate')) return inflated;
  if (subjects.includes('body:gunzip'))
    return piped(`gzip -cd 2>/dev/null | { head -c ${shownBytes}; cat >/dev/null; }; echo`);
  if (subjects.includes('body:sha1')) return piped('sha1sum');
  // Names stand in such files as text, in UTF-16 with zeros between the letters.
  if (subjects.includes('body:sqlite')) return piped("tr -cs '[:print:]' '\\n' | grep -o 'CREATE TABLE [^(]*'");
  if (subjects.includes('body:ds-store')) return piped("tr -d '\\000' | tr -cs '[:print:]' '\\n' | sed -n 1,40p");
  if (observed.kind !== 'http') return asItIs;
  const { body } = observed.exchange;
  if (subjects.includes('body:archive')) return listed(Buffer.from(body.subarray(0, 2)).toString('latin1'));
  return body.includes(0) ? printable : asItIs;
}

/** The head of a gzip file in the place of that of a zlib stream (RFC 1950, RFC 1952); gzip misses its checksum at the end. */
const inflated: View = {
  output: 'body',
  lines: (command) => [
    `${command} | { printf '\\037\\213\\010\\0\\0\\0\\0\\0\\0\\0'; tail -c +3; } | gzip -cd 2>/dev/null; echo`,
  ],
};

const piped = (filter: string): View => ({ output: 'body', lines: (command) => [`${command} | ${filter}`] });

/** curl does not print what is no text, and a terminal should not. */
const printable: View = {
  output: 'show',
  // What is not shown is taken as well: curl would complain of a pipe that closes.
  lines: (command) => [`${command} --output - | { head -c ${shownBytes}; cat >/dev/null; } | cat -v`],
};

const throughGit = (object: string): View => ({
  output: 'body',
  lines: (command) => [
    'REPOSITORY=$(mktemp -d); git init -q "$REPOSITORY"',
    `${command} | git -C "$REPOSITORY" unpack-objects -q`,
    `git -C "$REPOSITORY" cat-file -p ${shellWord(object)}`,
    'rm -rf "$REPOSITORY"',
  ],
});

function listed(start: string): View {
  if (start === 'PK')
    return {
      output: 'body',
      lines: (command) => [
        'ARCHIVE=$(mktemp)',
        `${command} --output "$ARCHIVE"`,
        'unzip -l "$ARCHIVE"',
        'rm "$ARCHIVE"',
      ],
    };
  const isGzip = start === '\x1f\x8b';
  return { output: 'body', lines: (command) => [`${command} | tar -t${isGzip ? 'z' : ''}`] };
}
