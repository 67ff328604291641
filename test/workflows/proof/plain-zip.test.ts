import { crc32 } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { entriesIn, inZip, plainZip } from '../../../workflows/proof/plain-zip.ts';
import { fill, newTrialValues } from '../../../workflows/proof/template.ts';
import { storedFiles } from '../../fixtures/stored-zip.ts';

const test = suite('archives of plain text');

test('an archive of any sizes has only ASCII, and its files can be read', () => {
  for (let length = 0; length < 600; length += 23) {
    const files = [
      { name: `a${length}.txt`, content: 'a'.repeat(length) },
      { name: '../b.xml', content: '<b/>' },
      { name: `${'c'.repeat(length % 120)}.txt`, content: 'c'.repeat(3 * length) },
    ];
    const zip = plainZip(files) ?? '';
    assert.not.match(zip, /\P{ASCII}/u);
    const read = storedFiles(Buffer.from(zip));
    for (const { name, content } of files) assert.is(read.get(name)?.trimEnd(), content, `${length}: ${name}`);
  }
});

test('the checksum is that of the file', () => {
  const zip = Buffer.from(plainZip([{ name: 'a', content: 'hello' }]) ?? '');
  const [text = ''] = [...storedFiles(zip).values()];
  assert.is(zip.readUInt32LE(14), crc32(text));
});

test('what is no plain text makes no archive', () => {
  assert.is(plainZip([{ name: 'a', content: 'é' }]), undefined);
  assert.is(plainZip([{ name: 'a\n', content: '' }]), undefined);
  assert.is(plainZip([]), undefined);
});

test('values of the trial go into names and contents', () => {
  const values = newTrialValues(() => 'n1');
  const files = storedFiles(Buffer.from(fill(inZip([{ name: '‹nonce›.txt', content: '[‹nonce›]' }]), values)));
  assert.equal(
    [...files].map(([name, text]) => [name, text.trimEnd()]),
    [['n1.txt', '[n1]']],
  );
});

test('what only looks like an archive stays as it is', () => {
  for (const text of ['‹zip:AAAA›', `‹zip:${Buffer.from('[[1,2]]').toString('base64url')}›`, '‹zip:W10›'])
    assert.is(
      fill(
        text,
        newTrialValues(() => 'n1'),
      ),
      text,
    );
  assert.is(entriesIn('e30'), undefined);
});

test.run();
