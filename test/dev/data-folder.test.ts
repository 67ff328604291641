import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FolderInUse, lockFolder, PrivateFile, readJson, writePrivate } from '../../dev/data-folder.ts';
import { withFolder } from '../support/folder.ts';
import { rejectionOf } from '../support/rejection.ts';

/** Another process that holds a folder's lock. */
async function holder(folder: string) {
  const module = join(import.meta.dirname, '../../dev/data-folder.ts');
  const script = `
    const { lockFolder } = await import(${JSON.stringify(module)});
    await lockFolder(${JSON.stringify(folder)});
    console.log('locked');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

const Lock = suite('the lock of a data folder');

Lock('keeps a second process out and names the first', () =>
  withFolder(async (folder) => {
    const other = await holder(folder);
    const error = await rejectionOf(lockFolder(folder));
    other.kill('SIGKILL');
    assert.instance(error, FolderInUse);
    assert.match(error.message, `process ${other.pid}`);
    assert.match(error.message, folder);
    assert.match(error.message, 'SCAN_AUDIT_HOME');
  }),
);

Lock('ends with its process, however that ended', () =>
  withFolder(async (folder) => {
    const other = await holder(folder);
    other.kill('SIGKILL');
    await once(other, 'exit');
    const unlock = await lockFolder(folder);
    unlock();
    (await lockFolder(folder))();
  }),
);

Lock('lets others pass through a new folder, but not look around', () =>
  withFolder(async (parent) => {
    const folder = join(parent, 'new');
    (await lockFolder(folder))();
    assert.is((await stat(folder)).mode & 0o777, 0o711);
  }),
);

Lock.run();

const Files = suite('a private file');

Files('is readable by its owner alone, even when it was not before', () =>
  withFolder(async (folder) => {
    const file = join(folder, 'stack.json');
    await writeFile(file, '{}');
    await chmod(file, 0o644);
    await writePrivate(file, { key: 'secret' });
    assert.is((await stat(file)).mode & 0o777, 0o600);
    assert.equal(await readJson(file), { key: 'secret' });
    assert.equal(await readdir(folder), ['stack.json']);
  }),
);

Files('that many write at once holds the last word, and is never half', () =>
  withFolder(async (folder) => {
    const file = new PrivateFile(join(folder, 'stack.json'));
    let value = 0;
    const writes = Array.from({ length: 50 }, () => file.write(() => ({ value })));
    value = 7;
    await Promise.all(writes);
    assert.equal(await readJson(file.path), { value: 7 });
  }),
);

Files('whose write failed is written again', () =>
  withFolder(async (folder) => {
    const file = new PrivateFile(join(folder, 'later', 'stack.json'));
    assert.match((await rejectionOf(file.write(() => 1))).message, 'ENOENT');
    await mkdir(join(folder, 'later'));
    await file.write(() => 2);
    assert.is(await readJson(file.path), 2);
  }),
);

Files('that is not there reads as undefined', () =>
  withFolder(async (folder) => {
    assert.is(await readJson(join(folder, 'none.json')), undefined);
  }),
);

Files.run();
