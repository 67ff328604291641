import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withFolder } from '../support/folder.ts';
import { further } from '../support/further.ts';
import { eventually, processesWith } from '../support/processes.ts';

const program = join(import.meta.dirname, '../../dev/start.ts');

async function start(home: string, ...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, SCAN_AUDIT_HOME: home, GATEWAY_PORT: '0', CORE_PORT: '0', TEMPORAL_STORE: 'memory' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { output, errors, code };
}

const Start = suite('npm start');

further(Start)('with --once audits the demo, shows what it found and how to ask again, and ends with 0', () =>
  withFolder(async (home) => {
    const { output, errors, code } = await start(home, '--once');
    assert.is(code, 0, output + errors);
    assert.match(output, 'Auditing shop.localhost (standard, scan ');
    assert.match(output, /100 % {2}done \(\d+ verified/);
    assert.match(output, /^SEVERITY +FINDING +PLACE$/m);
    assert.match(output, /^Gate \(threshold high\): (PASS|FAIL|INCONCLUSIVE)\. \w+/m);
    assert.match(output, /^KEY=sa_\w+$/m);
    const report = /file:\/\/\S+\.html/.exec(output)?.[0];
    assert.ok(report);
    assert.match(await readFile(fileURLToPath(report), 'utf8'), /<html/i);
    await eventually('no process is left', async () => (await processesWith(home)).length === 0);
  }),
);

Start('refuses an option that it does not know, before it starts anything', () =>
  withFolder(async (home) => {
    const { errors, code } = await start(home, '--onec');
    assert.is(code, 2);
    assert.match(errors, '--onec');
    assert.match(errors, 'Usage: npm start');
  }),
);

Start.run();
