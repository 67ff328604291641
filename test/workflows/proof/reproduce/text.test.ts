import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { comment, replaced, variableName, wordOf } from '../../../../workflows/proof/reproduce/text.ts';
import { shellWord } from '../../../../workflows/proof/shell.ts';
import { runIn } from './shell.ts';

const words = suite('words for a shell');

const hostile = [
  "it's",
  '"double"',
  `$HOME $(id) \`id\` $\{x}`,
  '; rm -rf / #',
  'a\\b\\',
  '!history *glob? [a-z] {b,c} ~',
  '%s %d %%',
  '-o/tmp/x',
  'grüezi 日本 🎉',
  '\u0001\u007f',
  'line\nline\ttab',
  '@file',
  '',
];

for (const text of hostile) {
  words(`give ${JSON.stringify(text)} back as it is`, async () => {
    assert.is((await runIn('sh', `printf %s ${shellWord(text)}`)).stdout, text);
    assert.not.match(shellWord(text), /\n/);
  });

  words(`give ${JSON.stringify(text)} back around a variable, and in one`, async () => {
    const word = wordOf([text, { variable: 'X' }, text]);
    assert.is((await runIn('sh', `printf %s ${word}`, { X: '<value>' })).stdout, `${text}<value>${text}`);
    if (text !== '')
      assert.is((await runIn('sh', `printf %s ${wordOf([{ variable: 'X' }])}`, { X: text })).stdout, text);
  });
}

words('spell a value as the place demands it', async () => {
  const X = 'a&b=c+d#e 100% "q" \\';
  const encoded = await runIn('sh', `printf %s ${wordOf([{ variable: 'X', as: 'encoded' }])}`, { X });
  assert.is(new URLSearchParams(`x=${encoded.stdout}`).get('x'), X);
  const json = await runIn('sh', `printf %s ${wordOf(['{"x":"', { variable: 'X', as: 'json' }, '"}'])}`, { X });
  assert.equal(JSON.parse(json.stdout), { x: X });
});

words('do not go on without a value', async () => {
  for (const variables of [{}, { X: '' }]) {
    const { stdout, stderr, code } = await runIn('sh', `printf %s ${wordOf([{ variable: 'X' }])}; echo on`, variables);
    assert.is(stdout, '');
    assert.match(stderr, /X: parameter/);
    assert.is.not(code, 0);
  }
});

words('have a reference in the place of each value, and no other', () => {
  const X = { variable: 'X' };
  assert.equal(replaced(['aXbX'], 'X', X), ['a', X, 'b', X]);
  assert.equal(replaced([X, 'a'], 'X', { variable: 'Y' }), [X, 'a']);
  assert.equal(replaced(['a'], '', X), ['a']);
});

words('name variables as every shell can', () => {
  assert.equal(
    [variableName('JAR', 'shop admin'), variableName('7 up'), variableName('grün.é-x')],
    ['JAR_SHOP_ADMIN', '_7_UP', 'GR_N_X'],
  );
});

words.run();

const comments = suite('comments');

for (const text of hostile)
  comments(`of ${JSON.stringify(text)} do nothing, whether or not the shell takes "#" for one`, async () => {
    const line = comment(`Note ${text} end`);
    assert.not.match(line, /\n/);
    for (const script of [line, line.replace(/^#/, ':')]) {
      const { stdout, stderr, code } = await runIn('sh', `${script}\necho on`);
      assert.equal([stdout, stderr, code], ['on\n', '', 0], script);
    }
  });

comments.run();
