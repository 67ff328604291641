import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readyLine } from '../../dev/process.ts';
import { ProgramRecord } from '../../dev/state.ts';
import { Supervisor } from '../../dev/supervisor.ts';
import { withFolder } from '../support/folder.ts';
import { eventually, isRunning, processesWith } from '../support/processes.ts';
import { rejectionOf } from '../support/rejection.ts';

function supervise(folder: string) {
  const reported = { lines: [] as string[], restarts: 0, gaveUp: [] as Error[] };
  const supervisor = new Supervisor({
    record: new ProgramRecord(folder),
    report: (line) => reported.lines.push(line),
    onRestart: () => {
      reported.restarts += 1;
    },
    onGiveUp: (error) => reported.gaveUp.push(error),
  });
  const spawn = (script: string) =>
    supervisor.spawn({
      name: 'sample',
      command: process.execPath,
      args: ['-e', script],
      env: { MARK: folder },
      logFile: join(folder, 'sample.log'),
    });
  const start = async (script = `console.log('{"ready":1}'); setInterval(() => {}, 1000)`) => {
    const program = await spawn(script);
    await readyLine(program, join(folder, 'sample.log'));
    return { program };
  };
  return { supervisor, reported, spawn, start };
}

const Keeping = suite('a program that is kept');

Keeping('is brought back when it is killed, under another pid', () =>
  withFolder(async (folder) => {
    const { supervisor, reported, start } = supervise(folder);
    const { program } = await supervisor.keep('sample', () => start());
    process.kill(program.pid, 'SIGKILL');
    await eventually('it is back', async () => reported.restarts === 1);
    const pid = supervisor.pids().sample;
    assert.ok(pid && pid !== program.pid && (await isRunning(pid)));
    assert.match(reported.lines[0] ?? '', 'ended unexpectedly (by SIGKILL)');
    await supervisor.stop([['sample']]);
    assert.not(await isRunning(pid));
    assert.is(reported.restarts, 1);
  }),
);

Keeping('is tried again when it does not come up at once', () =>
  withFolder(async (folder) => {
    const { supervisor, reported, start } = supervise(folder);
    let starts = 0;
    const { program } = await supervisor.keep('sample', () => {
      starts += 1;
      return start(starts === 2 ? 'process.exit(1)' : undefined);
    });
    process.kill(program.pid, 'SIGKILL');
    await eventually('it is back', async () => reported.restarts === 1);
    assert.is(starts, 3);
    assert.ok(reported.lines.some((line) => line.includes('ended before it was ready')));
    await supervisor.stop([]);
  }),
);

Keeping('is not kept when it never came up', () =>
  withFolder(async (folder) => {
    const { supervisor, reported, start } = supervise(folder);
    const error = await rejectionOf(supervisor.keep('sample', () => start('process.exit(1)')));
    assert.match(error.message, 'ended before it was ready');
    await sleep(400);
    assert.is(reported.restarts, 0);
    assert.equal(supervisor.pids(), {});
  }),
);

Keeping.run();

const Stopping = suite('stopping');

Stopping('ends what has not come up yet, and starts nothing any more', () =>
  withFolder(async (folder) => {
    const { supervisor, spawn, start } = supervise(folder);
    const coming = rejectionOf(supervisor.keep('sample', () => start('setInterval(() => {}, 1000)')));
    await eventually('it runs', async () => (await processesWith(folder)).length === 1);
    await supervisor.stop([['sample']]);
    assert.match((await coming).message, 'ended before it was ready');
    assert.match((await rejectionOf(spawn(''))).message, 'being stopped');
    assert.equal(await processesWith(folder), []);
  }),
);

Stopping('at once does not wait for anyone', () =>
  withFolder(async (folder) => {
    const { supervisor, start } = supervise(folder);
    const stubborn = `process.on('SIGTERM', () => {}); console.log('{"ready":1}'); setInterval(() => {}, 1000)`;
    await supervisor.keep('sample', () => start(stubborn));
    const startedAt = performance.now();
    const stopped = supervisor.stop([['sample']]);
    supervisor.kill();
    await stopped;
    assert.ok(performance.now() - startedAt < 2_000);
    assert.equal(await processesWith(folder), []);
  }),
);

Stopping.run();
