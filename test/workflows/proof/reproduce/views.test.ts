import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeNonce } from '../../../../workflows/activities/audit-context.ts';
import { claim, type Subject } from '../../../../workflows/model/experiment.ts';
import { prove } from '../../../../workflows/proof/prove.ts';
import { dsStoreFile, sqliteFile } from '../../../fixtures/exposed/files.ts';
import { onStage } from '../../login/stage.ts';
import { runIn } from './shell.ts';

/** What the command for a file with this content prints. */
async function shown(body: Uint8Array, subject: Subject, text: string): Promise<string> {
  let printed = '';
  await onStage(
    ({ path }) => (path === '/file' ? { body } : undefined),
    async ({ url, probes }) => {
      const step = (path: string) => ({
        http: { url: `${url}${path}` },
        note: 'A file.',
        expect: [claim('status', 'equals', '200'), claim(subject, 'contains', text)],
      });
      const verdict = await prove(
        { steps: [step('/file')], control: [step('/other')] },
        {
          ...probes,
          identities: {},
          nonce: () => makeNonce(),
          now: () => new Date(),
          signal: new AbortController().signal,
        },
      );
      if (!verdict.proven) throw new Error(verdict.reason);
      const { stdout, stderr } = await runIn('sh', verdict.proof.curl);
      assert.is(stderr, '', verdict.proof.curl);
      printed = stdout;
    },
  );
  return printed;
}

const test = suite('what a terminal cannot show as it is');

test('is inflated', async () => {
  const content = `commit 12\0tree ${'ab'.repeat(2_000)}`;
  assert.is((await shown(deflateSync(content), 'body:inflate', 'tree')).trimEnd(), content);
});

test('is printed with its head, as far as it is of use', async () => {
  const pack = Buffer.concat([Buffer.from('PACK\0\0\0\u0002rest'), Buffer.alloc(1_000_000, 'x')]);
  const text = await shown(pack, 'body', 'PACK');
  assert.match(text, 'HTTP/1.1 200 OK');
  assert.match(text, 'PACK^@^@^@^Brest');
  assert.ok(text.length < 1_000);
});

test('is unpacked, when it is an archive or a pack', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'views-'));
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', stdio: 'pipe' });
  try {
    await writeFile(join(folder, 'settings.ini'), 'key = 1\n');
    execFileSync('tar', ['-czf', 'all.tar.gz', 'settings.ini'], { cwd: folder });
    execFileSync('tar', ['-cf', 'all.tar', 'settings.ini'], { cwd: folder });
    for (const name of ['all.tar.gz', 'all.tar'])
      assert.match(await shown(await readFile(join(folder, name)), 'body:archive', 'settings.ini'), 'settings.ini');
    git('init', '-q');
    git('add', 'settings.ini');
    const id = git('hash-object', 'settings.ini').trim();
    const pack = execFileSync('git', ['-C', folder, 'pack-objects', '--stdout', '-q'], { input: `${id}\n` });
    assert.is(await shown(pack, `body:pack:${id}`, 'key'), 'key = 1\n');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('is named by what stands in it, when it is a database or a list of the Finder', async () => {
  const database = sqliteFile('CREATE TABLE users(id INTEGER, password TEXT);');
  assert.match(await shown(database, 'body:sqlite', 'users'), 'CREATE TABLE users');
  assert.match(await shown(dsStoreFile(['admin-old', 'b.zip']), 'body:ds-store', 'admin-old'), 'admin-old');
});

test('is unpacked or summed up, when the claim is about that', async () => {
  assert.match(await shown(gzipSync('-- MySQL dump 10.13'), 'body:gunzip', 'MySQL'), '-- MySQL dump 10.13');
  const sum = createHash('sha1').update('text').digest('hex');
  assert.match(await shown(Buffer.from('text'), 'body:sha1', sum), sum);
});

test.run();
