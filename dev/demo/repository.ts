import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';

const author = 'Maren Holm <maren.holm@shop.localhost>';

type DemoTreeEntry = { name: string; id: string } & ({ isTree: false; content: Buffer } | { isTree: true });
type IndexEntry = { path: string; id: string; bytes: number };

/**
 * Commits every file under `folder` to a Git repository in it, as loose objects with HEAD, branch, index and log:
 * what `git init && git add . && git commit` leaves behind. Format: https://git-scm.com/docs/gitrepository-layout
 */
export async function commitFolder(folder: string, message: string, when: Date): Promise<void> {
  const git = join(folder, '.git');
  const index: IndexEntry[] = [];
  const tree = await writeTree(git, folder, folder, index);
  const stamp = `${author} ${Math.floor(when.getTime() / 1_000)} +0000`;
  const commit = await writeObject(
    git,
    'commit',
    Buffer.from(`tree ${tree}\nauthor ${stamp}\ncommitter ${stamp}\n\n${message}\n`),
  );
  const log = `${'0'.repeat(40)} ${commit} ${stamp}\tcommit (initial): ${message}\n`;
  const files: Record<string, string | Buffer> = {
    HEAD: 'ref: refs/heads/main\n',
    config: '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n',
    description: "Unnamed repository; edit this file 'description' to name the repository.\n",
    COMMIT_EDITMSG: `${message}\n`,
    'refs/heads/main': `${commit}\n`,
    'logs/HEAD': log,
    'logs/refs/heads/main': log,
    index: indexFile(index),
  };
  for (const [name, content] of Object.entries(files)) await write(join(git, name), content);
}

async function writeTree(git: string, root: string, folder: string, index: IndexEntry[]): Promise<string> {
  const entries: DemoTreeEntry[] = [];
  for (const found of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, found.name);
    if (found.name === '.git') continue;
    if (found.isDirectory()) {
      entries.push({ name: found.name, isTree: true, id: await writeTree(git, root, path, index) });
      continue;
    }
    const content = await readFile(path);
    const id = await writeObject(git, 'blob', content);
    index.push({ path: relative(root, path).replaceAll('\\', '/'), id, bytes: content.length });
    entries.push({ name: found.name, isTree: false, id, content });
  }
  const sortKey = (entry: DemoTreeEntry) => Buffer.from(entry.isTree ? `${entry.name}/` : entry.name);
  const body = entries
    .toSorted((a, b) => Buffer.compare(sortKey(a), sortKey(b)))
    .flatMap((entry) => [
      Buffer.from(`${entry.isTree ? '40000' : '100644'} ${entry.name}\0`),
      Buffer.from(entry.id, 'hex'),
    ]);
  return writeObject(git, 'tree', Buffer.concat(body));
}

async function writeObject(git: string, kind: 'blob' | 'tree' | 'commit', content: Buffer): Promise<string> {
  const whole = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content]);
  const id = createHash('sha1').update(whole).digest('hex');
  await write(join(git, 'objects', id.slice(0, 2), id.slice(2)), await promisify(deflate)(whole));
  return id;
}

/** Version 2 of https://git-scm.com/docs/index-format: sorted entries, padded to eight bytes, and a checksum. */
function indexFile(entries: readonly IndexEntry[]): Buffer {
  const header = Buffer.alloc(12);
  header.write('DIRC');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(entries.length, 8);
  const sorted = entries.toSorted((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
  const body = Buffer.concat([header, ...sorted.map(indexEntry)]);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

const fixedEntryBytes = 62;
const regularFileMode = 0o100644;

function indexEntry({ path, id, bytes }: IndexEntry): Buffer {
  const name = Buffer.from(path);
  const entry = Buffer.alloc(Math.ceil((fixedEntryBytes + name.length + 1) / 8) * 8);
  entry.writeUInt32BE(regularFileMode, 24);
  entry.writeUInt32BE(bytes, 36);
  entry.write(id, 40, 'hex');
  entry.writeUInt16BE(Math.min(name.length, 0xfff), 60);
  name.copy(entry, fixedEntryBytes);
  return entry;
}

async function write(file: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
