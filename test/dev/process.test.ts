import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProgramError, type RunningProgram, readyLine, startProgram, until } from '../../dev/process.ts';
import { withFolder } from '../support/folder.ts';
import { eventually, isRunning, processesWith } from '../support/processes.ts';
import { rejectionOf } from '../support/rejection.ts';

/** Runs JavaScript as a program. */
const start = (folder: string, script: string, graceMs?: number): Promise<RunningProgram> =>
  startProgram({
    name: 'sample',
    command: process.execPath,
    args: ['-e', script],
    env: { PATH: process.env.PATH, MARK: folder },
    logFile: join(folder, 'logs', 'sample.log'),
    ...(graceMs === undefined ? {} : { graceMs }),
  });
const stay = 'setInterval(() => {}, 1000);';

const Programs = suite('a program');

Programs('reports by one JSON line that it is ready', () =>
  withFolder(async (folder) => {
    const program = await start(folder, `console.log('{"ready":"sample","port":7}'); ${stay}`);
    assert.equal(await readyLine(program, join(folder, 'x')), { ready: 'sample', port: 7 });
    await program.stop();
    assert.not(await isRunning(program.pid));
  }),
);

Programs('that ends before it is ready is reported with the end of its log', () =>
  withFolder(async (folder) => {
    const log = join(folder, 'logs', 'sample.log');
    const program = await start(folder, `console.error('the cause'); process.exit(3);`);
    const error = await rejectionOf(readyLine(program, log));
    assert.instance(error, ProgramError);
    assert.match(error.message, /^sample ended before it was ready/);
    assert.match(error.message, 'the cause');
    assert.equal(await program.exited, { code: 3, signal: null });
  }),
);

Programs('that prints something else, or nothing in time, is not ready', () =>
  withFolder(async (folder) => {
    const chatty = await start(folder, `console.log('hello'); ${stay}`);
    const silent = await start(folder, stay);
    assert.match((await rejectionOf(readyLine(chatty, ''))).message, 'printed "hello" instead of a ready line');
    assert.match((await rejectionOf(readyLine(silent, '', 200))).message, 'is not ready after 0.2 s');
    assert.match((await rejectionOf(until(silent, async () => false, '', 200))).message, 'is not ready after 0.2 s');
    await Promise.all([chatty.stop(), silent.stop()]);
  }),
);

Programs('that cannot be started is reported with the reason', () =>
  withFolder(async (folder) => {
    const options = { name: 'sample', command: '/nowhere/at/all', args: [], env: {}, logFile: join(folder, 'log') };
    const error = await rejectionOf(startProgram(options));
    assert.instance(error, ProgramError);
    assert.match(error.message, 'ENOENT');
  }),
);

Programs('that ignores the stop signal is killed after its grace time', () =>
  withFolder(async (folder) => {
    const program = await start(folder, `process.on('SIGTERM', () => {}); console.log('{"ready":1}'); ${stay}`, 200);
    await readyLine(program, '');
    await program.stop();
    assert.equal(await program.exited, { code: null, signal: 'SIGKILL' });
  }),
);

Programs('takes the children that it leaves behind with it', () =>
  withFolder(async (folder) => {
    const script = `
      const { spawn } = require('node:child_process');
      spawn('sleep', ['60'], { stdio: 'ignore' });
      console.log('{"ready":1}');
      ${stay}`;
    const program = await start(folder, script);
    await readyLine(program, '');
    assert.is((await processesWith(folder)).length, 2);
    await program.stop();
    await eventually('all have ended', async () => (await processesWith(folder)).length === 0);
  }),
);

Programs('that writes much is not stalled, and its errors are in a log that only its owner reads', () =>
  withFolder(async (folder) => {
    const script = `console.log('{"ready":1}'); process.stdout.write('x'.repeat(1e6), () => { console.error('done'); process.exit(); });`;
    const program = await start(folder, script);
    await readyLine(program, '');
    assert.equal(await program.exited, { code: 0, signal: null });
    assert.is(await readFile(join(folder, 'logs', 'sample.log'), 'utf8'), 'done\n');
  }),
);

Programs.run();
