import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bytesOfText, textOfBytes } from '../../../workflows/model/wire-bytes.ts';
import { archiveOf, entriesIn, inArchive, inZip } from '../../../workflows/proof/archives.ts';
import { fill, newTrialValues } from '../../../workflows/proof/template.ts';
import { storedFiles } from '../../fixtures/stored-zip.ts';
import { isHere } from '../../support/programs.ts';

const test = suite('archives');

const bytesOf = (...given: Parameters<typeof archiveOf>): Buffer => Buffer.from(bytesOfText(archiveOf(...given) ?? ''));

test('all bytes come back from a text, beside text of any language', () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
  assert.equal(Buffer.from(bytesOfText(textOfBytes(bytes))), bytes);
  assert.equal(Buffer.from(bytesOfText('é€😀\uf0e0')), Buffer.from('é€😀\uf0e0'));
});

test('the files of an archive can be read, whatever their sizes are', () => {
  for (let length = 0; length < 600; length += 23) {
    const files = [
      { name: `a${length}.txt`, content: 'a'.repeat(length) },
      { name: '../b.xml', content: '<b/>' },
      { name: `${'c'.repeat(length % 90)}.txt`, content: 'é'.repeat(3 * length) },
    ];
    const read = storedFiles(bytesOf('zip', files));
    for (const { name, content } of files)
      assert.is(Buffer.from(read.get(name) ?? '', 'latin1').toString(), content, `${length}: ${name}`);
  }
});

test('the checksum is that of the file', () => {
  const zip = bytesOf('zip', [{ name: 'a', content: 'hello' }]);
  assert.is(zip.readUInt32LE(14), crc32('hello'));
});

const unpacking = { zip: ['unzip', '-q'], tar: ['tar', 'xf'], targz: ['tar', 'xzf'] } as const;
for (const format of ['zip', 'tar', 'targz'] as const) {
  const [program, ...options] = unpacking[format];
  if (isHere(program))
    test(`programs of the system unpack ${format}, links included`, () => {
      const folder = mkdtempSync(join(tmpdir(), 'archive-'));
      const entries = [
        { name: 'a.txt', content: 'hello' },
        { name: 'b.txt', content: '/etc/hostname', isLink: true as const },
      ];
      writeFileSync(join(folder, 'archive'), bytesOf(format, entries));
      execFileSync(program, [...options, 'archive'], { cwd: folder });
      assert.is(readFileSync(join(folder, 'a.txt'), 'utf8'), 'hello');
      assert.ok(lstatSync(join(folder, 'b.txt')).isSymbolicLink());
      assert.is(readlinkSync(join(folder, 'b.txt')), '/etc/hostname');
      rmSync(folder, { recursive: true });
    });
}

test('what cannot be named makes no archive', () => {
  assert.is(archiveOf('zip', [{ name: 'a\n', content: '' }]), undefined);
  assert.is(archiveOf('tar', [{ name: 'a'.repeat(100), content: '' }]), undefined);
  assert.is(archiveOf('zip', []), undefined);
});

test('values of the trial go into names and contents', () => {
  const values = newTrialValues(() => 'n1');
  const filled = (template: string) => Buffer.from(bytesOfText(fill(template, values)));
  const entries = [{ name: '‹nonce›.txt', content: '[‹nonce›]' }];
  assert.equal([...storedFiles(filled(inZip(entries)))], [['n1.txt', '[n1]']]);
  assert.is(filled(inArchive('tar', entries)).toString('latin1', 512, 516), '[n1]');
});

test('what only looks like an archive stays as it is', () => {
  for (const text of ['‹zip:AAAA›', `‹tar:${Buffer.from('[[1,2]]').toString('base64url')}›`, '‹zip:W10›'])
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
