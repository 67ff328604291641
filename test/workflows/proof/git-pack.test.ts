import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readPack } from '../../../workflows/proof/git-pack.ts';
import { makeRepository } from '../../fixtures/repository.ts';

const test = suite<{ pack: Buffer; head: string }>('reading a pack');

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index} of a file`).join('\n');

test.before(async (context) => {
  const versions = [200, 300, 400, 500].map((count) => ({ 'a.txt': lines(count), 'b/c.txt': `only in ${count}` }));
  const repository = await makeRepository(versions, 'packed');
  const info = String(repository.serve('objects/info/packs')?.body);
  const name = /pack-[0-9a-f]{40}\.pack/.exec(info)?.[0];
  context.pack = Buffer.from(repository.serve(`objects/pack/${name}`)?.body ?? '');
  context.head = repository.head;
  await repository.remove();
});

test('every object is read, deltas resolved, under the name that its content has', ({ pack, head }) => {
  const objects = readPack(pack);
  assert.is(objects.size, pack.readUInt32BE(8));
  assert.is(objects.get(head)?.type, 'commit');
  const texts = [...objects.values()].map(({ content }) => content.toString());
  for (const count of [200, 300, 400, 500]) assert.ok(texts.includes(lines(count)));
  for (const [id, { type, content }] of objects)
    assert.is(createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex'), id);
});

test('a pack that was cut gives what is whole', ({ pack }) => {
  const whole = readPack(pack);
  const cut = readPack(pack.subarray(0, pack.length / 2));
  assert.ok(cut.size > 0 && cut.size < whole.size);
  for (const id of cut.keys()) assert.ok(whole.has(id));
});

test('bytes that are no pack, and every broken one, are read without an error', ({ pack }) => {
  assert.is(readPack(Buffer.from('<html>')).size, 0);
  assert.is(readPack(Buffer.alloc(0)).size, 0);
  for (let at = 12; at < pack.length; at += 7) {
    const broken = Buffer.from(pack);
    broken[at] = (broken[at] ?? 0) ^ 0xff;
    readPack(broken);
  }
});

test.run();
