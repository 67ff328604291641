import { deflateSync, gzipSync } from 'node:zlib';
import { openRepository, parseCommit, parseTree } from '../../../../workflows/checks/git/repository.ts';
import { archiveEntries } from '../../../../workflows/proof/archive.ts';
import { dsStoreNames } from '../../../../workflows/proof/files/ds-store.ts';
import { privateKeys } from '../../../../workflows/proof/files/private-keys.ts';
import { settingNames } from '../../../../workflows/proof/files/settings.ts';
import { sqliteTables } from '../../../../workflows/proof/files/sqlite.ts';
import { readPack } from '../../../../workflows/proof/git-pack.ts';
import { sourcesIn } from '../../../../workflows/proof/source-map.ts';
import { subjectValue } from '../../../../workflows/proof/subjects.ts';
import { packedSitemap } from '../../../../workflows/survey/packed-sitemap.ts';
import { answer } from '../answer.ts';
import { counted, filled, KiB, MiB, type Row, row } from '../row.ts';

const pack = 'workflows/proof/git-pack.ts';
const archive = 'workflows/proof/archive.ts';
const settings = 'workflows/proof/files/settings.ts';
const subjects = 'workflows/proof/subjects/readers.ts';
const sourceMap = 'workflows/proof/source-map.ts';

/** A pack of so many entries, which may lie about it. */
function packOf(entries: readonly Buffer[], count = entries.length): Buffer {
  const head = Buffer.alloc(12);
  head.write('PACK', 'latin1');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(count, 8);
  return Buffer.concat([head, ...entries]);
}

const repeated = (times: number, entry: Buffer): Buffer => packOf(Array.from({ length: times }, () => entry));

const blob = (content: Buffer): Buffer => Buffer.concat([Buffer.from([0x30]), deflateSync(content)]);
/** A delta over an object that is not there. */
const orphan = (content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0x70]), Buffer.alloc(20), deflateSync(content)]);
/** A delta over the object before it, which begins so many bytes earlier. */
function delta(distance: number, content: Buffer): Buffer {
  const bytes = [distance & 0x7f];
  for (let rest = distance >> 7; rest > 0; rest >>= 7) bytes.unshift(0x80 | (--rest & 0x7f));
  return Buffer.concat([Buffer.from([0x60, ...bytes]), deflateSync(content)]);
}
const size = (value: number): number[] => (value < 128 ? [value] : [0x80 | (value & 0x7f), ...size(value >> 7)]);

const zeros = Buffer.alloc(8 * MiB - 1);
const tarHeader = (name: string, octal: string): Buffer => {
  const block = Buffer.alloc(512);
  block.write(name, 0, 'latin1');
  block.write(octal, 124, 'latin1');
  block.write('ustar', 257, 'latin1');
  return block;
};

function sqlite(pages: number): Buffer {
  const bytes = Buffer.alloc(pages * 65_536);
  bytes.write('SQLite format 3\0', 'latin1');
  bytes.writeUInt16BE(1, 16);
  for (let page = 0; page < pages; page += 1) {
    const start = page * 65_536;
    const at = start + (page === 0 ? 100 : 0);
    bytes[at] = page === 0 ? 0x05 : 0x0d;
    bytes.writeUInt16BE(page === 0 ? 190 : 30_000, at + 3);
    const list = at + (page === 0 ? 12 : 8);
    for (let cell = 0; cell < (page === 0 ? 190 : 30_000); cell += 1)
      bytes.writeUInt16BE(page === 0 ? 1_000 + cell * 4 : 60_200, list + cell * 2);
    if (page === 0)
      for (let cell = 0; cell < 190; cell += 1) bytes.writeUInt32BE(2 + (cell % (pages - 1)), 1_000 + cell * 4);
    // A record whose columns have sizes without measure.
    else Buffer.from([5, 1, 3, 0x97, 0xff, 0x7f, 0x97, 0xff, 0x7f]).copy(bytes, start + 60_200);
  }
  return bytes;
}

const dsStore = (): Buffer => {
  const record = Buffer.alloc(4 + 510 + 8);
  record.writeUInt32BE(255, 0);
  record.fill(0, 4, 514);
  record.write('Ilocblob', 514, 'latin1');
  return Buffer.concat([Buffer.from('\0\0\0\x01Bud1', 'latin1'), ...Array.from({ length: 4_000 }, () => record)]);
};

const bytes: Record<string, { covers: string[]; make(): Buffer; read(body: Buffer): unknown }> = {
  'a pack of many small objects': {
    covers: [pack],
    make: () => repeated(100_000, blob(Buffer.from('x'))),
    read: readPack,
  },
  'a pack of objects that unpack to much': {
    covers: [pack],
    make: () => repeated(200, blob(zeros)),
    read: readPack,
  },
  'a pack of deltas without their objects': {
    covers: [pack],
    make: () => repeated(1_500, orphan(zeros)),
    read: readPack,
  },
  'a pack with a delta of very many parts': {
    covers: [pack],
    make: () => {
      const base = blob(Buffer.from('x'));
      return packOf([base, delta(base.length, Buffer.concat([Buffer.from([1, 0]), zeros.subarray(10)]))]);
    },
    read: readPack,
  },
  'a pack with deltas that copy their object again and again': {
    covers: [pack],
    make: () => {
      const base = blob(Buffer.alloc(65_536));
      const copies = Buffer.from([...size(65_536), ...size(8 * MiB), ...Array.from({ length: 128 }, () => 0x80)]);
      const entries = [base];
      let distance = base.length;
      for (let index = 0; index < 60; index += 1) {
        const one = delta(distance, copies);
        entries.push(one);
        distance += one.length;
      }
      return packOf(entries);
    },
    read: readPack,
  },
  'a pack that says it has very many objects': {
    covers: [pack],
    make: () => packOf([blob(Buffer.from('x'))], 0xffffffff),
    read: readPack,
  },
  'a tree of very many entries': {
    covers: [],
    make: () => Buffer.from(filled('100644 a\0aaaaaaaaaaaaaaaaaaaa', 8 * MiB), 'latin1'),
    read: parseTree,
  },
  'a commit of very many parents': {
    covers: [],
    make: () => Buffer.from(filled(`parent ${'a'.repeat(40)}\n`, 4 * MiB)),
    read: parseCommit,
  },
  'a loose object that unpacks to much': {
    covers: [subjects, 'workflows/checks/git/repository.ts'],
    make: () => deflateSync(Buffer.alloc(64 * MiB)),
    read: async (body) => {
      const exchange = answer(body);
      const repository = openRepository(
        { http: { get: async () => exchange }, leave: () => {} } as never,
        'http://shop.example/.git/',
      );
      return [subjectValue({ kind: 'http', exchange }, 'body:inflate'), await repository.read('a'.repeat(40))];
    },
  },
  'a tar file whose entries have no end': {
    covers: [archive],
    make: () => Buffer.concat([tarHeader('', '-1000'), Buffer.alloc(1_024)]),
    read: archiveEntries,
  },
  'a tar file of entries without a name': {
    covers: [archive],
    make: () => Buffer.concat(Array.from({ length: 4_000 }, () => tarHeader('', '0'))),
    read: archiveEntries,
  },
  'a zip of entries with names too long': {
    covers: [archive],
    make: () => {
      const entry = Buffer.alloc(34, 1);
      entry.write('PK\x03\x04', 'latin1');
      entry.writeUInt16LE(65_535, 26);
      return Buffer.concat(Array.from({ length: 60_000 }, () => entry));
    },
    read: archiveEntries,
  },
  'a gzip that unpacks to much': {
    covers: [archive, subjects],
    make: () => gzipSync(Buffer.alloc(64 * MiB)),
    read: (body) => [archiveEntries(body), subjectValue({ kind: 'http', exchange: answer(body) }, 'body:gunzip')],
  },
  'a packed sitemap that unpacks to much': {
    covers: ['workflows/survey/packed-sitemap.ts'],
    make: () => gzipSync(filled('<a><loc>http://shop.example/</loc>', 64 * MiB)),
    read: (body) => packedSitemap({ body }),
  },
  'a database of pages that lead to each other': { covers: [], make: () => sqlite(30), read: sqliteTables },
  'a folder file of very many records': { covers: [], make: dsStore, read: dsStoreNames },
  'keys without end': {
    covers: [],
    make: () => Buffer.from(filled(`-----BEGIN PRIVATE KEY-----\n${'M'.repeat(64)}\n-----END PRIVATE KEY-----\n`, MiB)),
    read: privateKeys,
  },
  'a key of a monstrous size': {
    covers: [],
    make: () =>
      Buffer.from(
        `-----BEGIN RSA PRIVATE KEY-----\n${Buffer.concat([Buffer.from([0x30, 0x82, 0x3a, 0x90, 2, 1, 0, 2, 0x82, 0x1d, 0x40]), Buffer.alloc(7_488, 0xff), Buffer.from([2, 3, 1, 0, 1, 2, 0x82, 0x1d, 0x40]), Buffer.alloc(7_488, 0xfd)]).toString('base64')}\n-----END RSA PRIVATE KEY-----`,
      ),
    read: privateKeys,
  },
};

const texts: Record<string, { covers: string[]; make(): string; read(text: string): unknown }> = {
  'aliases in aliases': {
    covers: [settings],
    make: () =>
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghijkl'
        .split('')
        .map(
          (name, index) =>
            `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefghijkl'[index]}`).join(',')}]`,
        )
        .join('\n')}`,
    read: (text) => settingNames('yaml', text),
  },
  'YAML that nests': {
    covers: [settings],
    make: () => `a: ${filled('[', 60 * KiB)}`,
    read: (text) => settingNames('yaml', text),
  },
  'YAML that nests and ends': {
    covers: [settings],
    make: () => `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`,
    read: (text) => settingNames('yaml', text),
  },
  'YAML of maps in maps': {
    covers: [settings],
    make: () => Array.from({ length: 340 }, (_, index) => `${' '.repeat(index)}a:`).join('\n'),
    read: (text) => settingNames('yaml', text),
  },
  'YAML of very many documents': {
    covers: [settings],
    make: () => filled('---\na: b\n', 60 * KiB),
    read: (text) => settingNames('yaml', text),
  },
  'YAML of the same key': {
    covers: [settings],
    make: () => counted((index) => `k${index}: v\n`, 60 * KiB),
    read: (text) => settingNames('yaml', text),
  },
  'YAML of anchors': {
    covers: [settings],
    make: () => counted((index) => `- &a${index} x\n- *a${index}\n`, 60 * KiB),
    read: (text) => settingNames('yaml', text),
  },
  'YAML of quoted text without an end': {
    covers: [settings],
    make: () => `a: "${filled('\\x', 60 * KiB)}`,
    read: (text) => settingNames('yaml', text),
  },
  'YAML of comments and flows': {
    covers: [settings],
    make: () => `a: {${filled('b, ', 60 * KiB)}`,
    read: (text) => settingNames('yaml', text),
  },
  'YAML merges': {
    covers: [settings],
    make: () => `a: &a {b: c}\n${counted((index) => `k${index}: {<<: *a}\n`, 60 * KiB)}`,
    read: (text) => settingNames('yaml', text),
  },
  'XML that nests': {
    covers: [settings],
    make: () => filled('<a>', 64 * KiB),
    read: (text) => settingNames('xml', text),
  },
  'XML of texts deep inside': {
    covers: [settings],
    make: () => `${'<a>'.repeat(8_000)}${'x<b/>'.repeat(4_000)}${'</a>'.repeat(4_000)}`,
    read: (text) => settingNames('xml', text),
  },
  'XML of many attributes': {
    covers: [settings],
    make: () => `<a ${counted((index) => `a${index}="1" `, 60 * KiB)}/>`,
    read: (text) => settingNames('xml', text),
  },
  'XML entities': {
    covers: [settings],
    make: () =>
      `<!DOCTYPE a [<!ENTITY a "${'x'.repeat(1_000)}">${counted((index) => `<!ENTITY a${index} "&a;&a;">`, 40 * KiB)}]><a>${filled('&a;&amp;', 10 * KiB)}</a>`,
    read: (text) => settingNames('xml', text),
  },
  'a source map of empty lists': {
    covers: [sourceMap],
    make: () => `{"version":3,"a":[${filled('[],', 16 * MiB)}[]]}`,
    read: sourcesIn,
  },
  'a source map of empty objects': {
    covers: [sourceMap],
    make: () => `{"version":3,"a":[${filled('{},', 16 * MiB)}{}]}`,
    read: sourcesIn,
  },
  'a source map of very many sources': {
    covers: [sourceMap],
    make: () =>
      `{"version":3,"sources":[${filled('"a",', 8 * MiB)}"a"],"sourcesContent":[${filled('"b",', 7 * MiB)}"b"]}`,
    read: sourcesIn,
  },
  'source maps in each other': {
    covers: [sourceMap],
    make: () => `${'{"version":3,"sections":[{"map":'.repeat(100_000)}1${'}]}'.repeat(100_000)}`,
    read: sourcesIn,
  },
  'a source map of large sources': {
    covers: [sourceMap],
    make: () => `{"version":3,"sources":["a"],"sourcesContent":["${'x'.repeat(15 * MiB)}"]}`,
    read: sourcesIn,
  },
  'a map in its script': {
    covers: [sourceMap],
    make: () =>
      `//# sourceMappingURL=data:application/json;base64,${Buffer.from(`{"version":3,"a":[${filled('{},', 9 * MiB)}{}]}`).toString('base64')}`,
    read: sourcesIn,
  },
};

export const fileRows: Row[] = [
  ...Object.entries(bytes).map(([name, { covers, make, read }]) => row(name, covers, make, read)),
  ...Object.entries(texts).map(([name, { covers, make, read }]) => row(name, covers, make, read)),
];
