import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { markInstalled, packagesState, projectNode } from '../../dev/boot.mjs';
import { withFolder } from '../support/folder.ts';
import { eventually, processesWith } from '../support/processes.ts';

const packages = {
  '': { name: 'sample' },
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/b-darwin': { version: '1.0.0', integrity: 'sha512-b', optional: true },
};

async function project(folder: string, installed?: object): Promise<void> {
  await mkdir(join(folder, 'node_modules'), { recursive: true });
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
  if (installed)
    await writeFile(join(folder, 'node_modules', '.package-lock.json'), JSON.stringify({ packages: installed }));
}

const State = suite('the packages');

State('are missing before anything was installed, and after an installation was interrupted', () =>
  withFolder(async (folder) => {
    await project(folder);
    assert.is(packagesState(folder), 'missing');
  }),
);

State('that someone else installed are recognised, without those for other platforms', () =>
  withFolder(async (folder) => {
    await project(folder, { 'node_modules/a': packages['node_modules/a'] });
    assert.is(packagesState(folder), 'unmarked');
    markInstalled(folder);
    assert.is(packagesState(folder), 'installed');
  }),
);

for (const [what, installed] of [
  ['of another version', { version: '0.9.0', integrity: 'sha512-a' }],
  ['with another content', { version: '1.0.0', integrity: 'sha512-x' }],
  ['not there', undefined],
] as const) {
  State(`are missing when one of them is ${what}`, () =>
    withFolder(async (folder) => {
      await project(folder, installed ? { 'node_modules/a': installed } : {});
      assert.is(packagesState(folder), 'missing');
    }),
  );
}

State('are missing again when package-lock.json changes', () =>
  withFolder(async (folder) => {
    await project(folder, { 'node_modules/a': packages['node_modules/a'] });
    markInstalled(folder);
    const changed = { ...packages, 'node_modules/c': { version: '1.0.0', integrity: 'sha512-c' } };
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages: changed }));
    assert.is(packagesState(folder), 'missing');
  }),
);

State.run();

/** A project whose packages are installed, with one program. */
async function bootable(folder: string, script: string): Promise<void> {
  await project(folder, { 'node_modules/a': packages['node_modules/a'] });
  await mkdir(join(folder, 'dev'));
  await mkdir(join(folder, 'node_modules', 'node', 'bin'), { recursive: true });
  await symlink(process.execPath, join(folder, 'node_modules', 'node', 'bin', 'node'));
  await cp(join(import.meta.dirname, '../../dev/boot.mjs'), join(folder, 'dev', 'boot.mjs'));
  await writeFile(join(folder, 'program.ts'), script);
}

const boot = (folder: string, ...args: string[]): ChildProcess =>
  spawn(process.execPath, [join(folder, 'dev', 'boot.mjs'), ...args], { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });

async function outcome(child: ChildProcess) {
  assert.ok(child.stdout && child.stderr);
  const [output, errors, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { output, errors, code, signal };
}

const Boot = suite('boot');

Boot('runs a program with its arguments under the Node of the packages, and ends with its exit code', () =>
  withFolder(async (folder) => {
    await bootable(folder, `console.log(process.argv[2], process.env.PATH.split(':')[0]); process.exit(7 as number);`);
    const { output, code } = await outcome(boot(folder, 'program.ts', '--flag'));
    assert.is(output, `--flag ${join(folder, 'node_modules', '.bin')}\n`);
    assert.is(code, 7);
    const flagged = await outcome(boot(folder, '--stack-trace-limit=3', 'program.ts', '--flag'));
    assert.is(flagged.output, output);
    assert.is(projectNode(folder), join(folder, 'node_modules', 'node', 'bin', 'node'));
  }),
);

Boot('passes a signal on, and lets the program end in its own way', () =>
  withFolder(async (folder) => {
    const script = `process.on('SIGTERM', () => process.exit(5)); console.log('up'); setInterval(() => {}, 1000);`;
    await bootable(folder, script);
    const child = boot(folder, 'program.ts');
    assert.ok(child.stdout);
    const ending = outcome(child);
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    assert.is((await ending).code, 5);
  }),
);

Boot('ends the program when the shell ends that npm started it in', () =>
  withFolder(async (folder) => {
    await bootable(
      folder,
      `console.log('up'); process.on('SIGTERM', () => process.exit()); setInterval(() => {}, 1000);`,
    );
    const shell = spawn('sh', ['-c', 'node dev/boot.mjs program.ts; exit 0'], {
      cwd: folder,
      env: { ...process.env, npm_lifecycle_event: 'start', MARK: folder },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(shell.stdout, 'data');
    shell.kill('SIGTERM');
    await eventually('all have ended', async () => (await processesWith(folder)).length === 0);
  }),
);

Boot('ends by the signal that ended the program', () =>
  withFolder(async (folder) => {
    await bootable(folder, `process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000);`);
    assert.is((await outcome(boot(folder, 'program.ts'))).signal, 'SIGTERM');
  }),
);

Boot('says what to do when the Node of the packages is not there, or no program is named', () =>
  withFolder(async (folder) => {
    await bootable(folder, '');
    const nameless = await outcome(boot(folder));
    assert.match(nameless.errors, 'Usage: node dev/boot.mjs');
    assert.is(nameless.code, 1);
    await rm(join(folder, 'node_modules', 'node'), { recursive: true });
    const nodeless = await outcome(boot(folder, 'program.ts'));
    assert.match(nodeless.errors, 'npm rebuild node');
    assert.is(nodeless.code, 1);
  }),
);

Boot('installs what package-lock.json asks for, and says so when it cannot', () =>
  withFolder(async (folder) => {
    await bootable(folder, '');
    // Without a package.json npm refuses: the real npm, and no network.
    await writeFile(join(folder, 'package-lock.json'), '{"packages":{"node_modules/z":{"version":"1.0.0"}}}');
    const { errors, code } = await outcome(boot(folder, 'program.ts'));
    assert.match(errors, 'Installing the packages');
    assert.match(errors, 'could not be installed');
    assert.is(code, 1);
  }),
);

Boot.run();
