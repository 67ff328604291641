import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readJson } from '../../dev/data-folder.ts';
import { ProgramRecord, startTimeOf } from '../../dev/state.ts';
import { withFolder } from '../support/folder.ts';
import { isRunning } from '../support/processes.ts';

async function program(script = ''): Promise<ChildProcess & { pid: number }> {
  const child = spawn(process.execPath, ['-e', `${script}; console.log(1); setInterval(() => {}, 1000)`], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  assert.ok(child.pid);
  return Object.assign(child, { pid: child.pid });
}

const StartTime = suite('a start time');

StartTime('is the same for one process, and another for the next', async () => {
  const first = await startTimeOf(process.pid);
  assert.type(first, 'string');
  assert.is(await startTimeOf(process.pid), first);
  await sleep(20);
  const child = await program();
  assert.is.not(await startTimeOf(child.pid), first);
  child.kill('SIGKILL');
});

StartTime('is not there for a process that has ended', async () => {
  const child = await program();
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.is(await startTimeOf(child.pid), undefined);
});

StartTime.run();

const Reaper = suite('the reaper');

Reaper('ends what an earlier stack left behind, by force where it must', () =>
  withFolder(async (folder) => {
    const [mild, stubborn] = await Promise.all([program(), program(`process.on('SIGTERM', () => {})`)]);
    const earlier = new ProgramRecord(folder);
    await earlier.add({ name: 'mild', pid: mild.pid, stopSignal: 'SIGTERM' });
    await earlier.add({ name: 'stubborn', pid: stubborn.pid, stopSignal: 'SIGTERM' });
    assert.equal(await new ProgramRecord(folder).reap(300), ['mild', 'stubborn']);
    assert.not(await isRunning(mild.pid));
    assert.not(await isRunning(stubborn.pid));
    assert.equal(await readJson(join(folder, 'programs.json')), []);
  }),
);

Reaper('leaves a process alone that only has the same pid', () =>
  withFolder(async (folder) => {
    const child = await program();
    const entry = { name: 'gone', pid: child.pid, startedAt: 'another-boot/12', stopSignal: 'SIGTERM' };
    await writeFile(join(folder, 'programs.json'), JSON.stringify([entry]));
    assert.equal(await new ProgramRecord(folder).reap(100), []);
    assert.ok(await isRunning(child.pid));
    child.kill('SIGKILL');
  }),
);

Reaper('leaves alone what its stack took off the record', () =>
  withFolder(async (folder) => {
    const child = await program();
    const record = new ProgramRecord(folder);
    await record.add({ name: 'kept', pid: child.pid, stopSignal: 'SIGTERM' });
    await record.remove(child.pid);
    assert.equal(await new ProgramRecord(folder).reap(100), []);
    assert.ok(await isRunning(child.pid));
    child.kill('SIGKILL');
  }),
);

Reaper('has nothing to do for a first start, or a record that cannot be read', () =>
  withFolder(async (folder) => {
    assert.equal(await new ProgramRecord(folder).reap(), []);
    await writeFile(join(folder, 'programs.json'), '[{"pid":');
    assert.equal(await new ProgramRecord(folder).reap(), []);
  }),
);

Reaper.run();
