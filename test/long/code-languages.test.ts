import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { codeEvaluation } from '../../workflows/checks/injection/code-evaluation.check.ts';
import { escapeHtml } from '../fixtures/site.ts';
import { stored } from '../workflows/checks/harness.ts';
import { resultOn, type Show } from '../workflows/checks/injection/interpreter-sites.ts';

const test = suite('code evaluation in other languages');

const program = promisify(execFile);
const pre = (text: unknown): string => `<pre>${escapeHtml(String(text))}</pre>`;
const found = (show: Show, link: string) => resultOn(codeEvaluation, link, show, { isOther: true });

/** What a program of another language prints for a script with the value as its first argument. */
const printedBy =
  (name: string, ...words: string[]): Show =>
  async (value) =>
    pre((await program(name, [...words, value], { timeout: 8_000 })).stdout);

/** Languages of this machine. */
const sites: [program: string, language: string, what: string, link: string, show: Show][] = [
  [
    'php',
    'PHP',
    'eval of an assignment',
    '/tax?of=12',
    printedBy('php', '-r', 'eval(chr(36)."x = ".$argv[1].";"); echo $x;', '--'),
  ],
  [
    'php',
    'PHP',
    'a text in double quotes',
    '/hello?name=Ada',
    printedBy('php', '-r', 'eval("echo \\"Hello ".$argv[1]."\\";");', '--'),
  ],
  ['python3', 'Python', 'eval', '/sum?of=1%2B2', printedBy('python3', '-c', 'import sys; print(eval(sys.argv[1]))')],
  [
    'python3',
    'Python',
    'a text in single quotes',
    '/hello?name=Ada',
    printedBy('python3', '-c', `import sys; print(eval("'Hello ' + str('" + sys.argv[1] + "')"))`),
  ],
  ['perl', 'Perl', 'eval', '/sum?of=1%2B2', printedBy('perl', '-e', 'print eval($ARGV[0])', '--')],
  ['ruby', 'Ruby', 'eval', '/sum?of=1%2B2', printedBy('ruby', '-e', 'print eval(ARGV[0])', '--')],
];
const isHere = (name: string): boolean => spawnSync(name, ['--version']).status === 0;

for (const [name, language, what, link, show] of sites.filter(([name]) => isHere(name))) {
  test(`${language}: ${what} is found by what the code gives`, async () => {
    const result = await found(show, link);
    assert.is(result.outcome.kind, 'found', `${name}: ${result.outcome.reason}`);
    assert.match(stored(result), /‹product:int:int2›/);
    assert.match(result.findings[0]?.description ?? '', new RegExp(language));
  });
}

/** A machine may have none of them. */
test('a machine without such a language is reported', () => {
  for (const name of new Set(sites.map(([name]) => name))) if (!isHere(name)) console.log(`${name} is not here`);
});

test.run();
