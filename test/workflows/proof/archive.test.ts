import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { archiveEntries } from '../../../workflows/proof/archive.ts';

const test = suite('entries of archives');

function zipEntry(name: string, content: string, hasSize = true): Buffer {
  const header = Buffer.alloc(30);
  header.write('PK\x03\x04', 'latin1');
  header.writeUInt32LE(hasSize ? content.length : 0, 18);
  header.writeUInt16LE(Buffer.byteLength(name), 26);
  return Buffer.concat([header, Buffer.from(name + content)]);
}

function tarEntry(name: string, content: string): Buffer {
  const block = Buffer.alloc(512 * (1 + Math.ceil(content.length / 512)));
  block.write(name);
  block.write(content.length.toString(8).padStart(11, '0'), 124);
  block.write('ustar\x0000', 257);
  block.write(content, 512);
  return block;
}

test('a ZIP names its entries, with and without sizes before the data', () => {
  const body = Buffer.concat([zipEntry('a/b.php', 'xyz'), zipEntry('grün.txt', 'xyz', false), zipEntry('c', '')]);
  assert.equal(archiveEntries(body), ['a/b.php', 'grün.txt', 'c']);
});

test('a tar names its entries, gzipped or not, whole or cut off', () => {
  const body = Buffer.concat([tarEntry('a.php', 'x'.repeat(700)), tarEntry('b/', ''), tarEntry('b/c.sql', 'y')]);
  assert.equal(archiveEntries(body), ['a.php', 'b/', 'b/c.sql']);
  assert.equal(archiveEntries(gzipSync(body)), ['a.php', 'b/', 'b/c.sql']);
  assert.equal(archiveEntries(body.subarray(0, 900)), ['a.php']);
});

test('what is no archive has no entries, and never fails', () => {
  for (const body of [
    '',
    'P',
    'PK',
    'PK\x03\x04',
    'PK\x03\x04 short',
    '\x1f\x8b',
    '\x1f\x8bbroken',
    '<html>',
    'x'.repeat(2000),
  ])
    assert.is(archiveEntries(Buffer.from(body, 'latin1')), undefined, JSON.stringify(body));
});

test('a gzip that unpacks to more than anybody needs is refused', () => {
  assert.is(archiveEntries(gzipSync(Buffer.alloc(64 * 1024 * 1024))), undefined);
});

test.run();
