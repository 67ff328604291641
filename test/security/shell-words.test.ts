import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { printfFormat, shellWord } from '../../workflows/proof/shell.ts';

const words = suite('a hostile string in a command to paste');

const pieces = [
  ...'\'"\\$`!*?[]{}()<>|&;#~%^=@:/ \t\n\r\u0001\u001b\u007f-_aA0',
  ...[
    'ü',
    '\u202e',
    '\u2028',
    '💥',
    '$(id)',
    '`id`',
    "'\\''",
    '$' + '{IFS}',
    '-n',
    '-v',
    '%n',
    '%s',
    '\\0',
    '\\c',
    '\\055',
  ],
];

/** The same ones each time: a generator whose high bits are of use. Source: Numerical Recipes, 3rd edition, §7.1.4. */
function stringsOf(count: number): string[] {
  let state = 1;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + below(12) }, () => pieces[below(pieces.length)]).join(''),
  );
}

/** Runs a script in a real shell. */
function shell(script: string): string {
  const { stdout, stderr, status } = spawnSync('sh', [], {
    input: script,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  assert.is(stderr, '');
  assert.is(status, 0);
  return stdout;
}

words('is one word with nothing in it that the shell acts on', () => {
  const strings = stringsOf(10_000);
  // printf repeats its format for each word; a NUL stands in none.
  const shown = shell(strings.map((text) => `printf '%s\\0' ${shellWord(text)}`).join('\n')).split('\0');
  // A substitution drops the line breaks at its end.
  const expected = strings.map((text) => text.replace(/\n+$/, ''));
  assert.equal(
    expected.filter((text, index) => shown[index] !== text),
    [],
  );
});

words('is printed byte for byte where it is a body', () => {
  const strings = stringsOf(2_000);
  const shown = shell(strings.map((text) => `printf ${shellWord(printfFormat(text))}; printf '\\0'`).join('\n'));
  const missed = shown
    .split('\0')
    .slice(0, -1)
    .filter((text, index) => text !== strings[index]);
  assert.equal(missed, []);
});

words.run();
