import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findTemporal } from '../../dev/temporal-program.ts';
import { withFolder } from '../support/folder.ts';
import { eventually, processesWith } from '../support/processes.ts';
import { rejectionOf } from '../support/rejection.ts';

/** A machine with these programs, as shell scripts, on its PATH. */
async function machine(folder: string, programs: Record<string, string>) {
  const bin = join(folder, 'bin');
  const cache = join(folder, 'cache');
  await mkdir(bin);
  for (const [name, script] of Object.entries(programs)) await program(join(bin, name), script);
  const lines: string[] = [];
  const env = { PATH: `${bin}:/usr/bin:/bin`, XDG_CACHE_HOME: cache, MARK: folder };
  return {
    bin,
    built: join(cache, 'scan-audit', 'temporal-1.5.1'),
    env,
    lines,
    report: (line: string) => lines.push(line),
  };
}

async function program(path: string, script: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}

/** Writes what it was given where -o says, as the Go tool does. */
const go = `
while [ "$1" != -o ]; do shift; done
echo "go: downloading example.org/module v1" >&2
echo "example.org/module" >&2
echo "CGO_ENABLED=$CGO_ENABLED in $PWD" > "$2"
chmod +x "$2"`;

const Temporal = suite('the Temporal server');

Temporal('on PATH is taken first, and the one in the cache next', () =>
  withFolder(async (folder) => {
    const { bin, built, env, lines, report } = await machine(folder, { temporal: '' });
    await mkdir(built, { recursive: true });
    await program(join(built, 'temporal'), '');
    assert.is(await findTemporal({ env, report }), join(bin, 'temporal'));
    assert.is(await findTemporal({ env: { ...env, PATH: '/usr/bin:/bin' }, report }), join(built, 'temporal'));
    assert.equal(lines, []);
  }),
);

Temporal('is built where there is Go, without C, and what that takes is reported', () =>
  withFolder(async (folder) => {
    const { built, env, lines, report } = await machine(folder, { go });
    const path = await findTemporal({ env, report });
    assert.is(path, join(built, 'temporal'));
    assert.match(await readFile(path, 'utf8'), /^CGO_ENABLED=0 in .*dev\/temporal$/m);
    assert.equal(await readdir(built), ['temporal']);
    assert.match(lines[0] ?? '', 'this takes 2 to 6 minutes');
    assert.ok(lines.some((line) => line.includes('downloading example.org/module v1')));
    assert.match(lines.at(-1) ?? '', 'Built the Temporal server');
  }),
);

Temporal('is built once by two starts at the same time', () =>
  withFolder(async (folder) => {
    const { built, env, lines, report } = await machine(folder, { go: `echo x >> "$MARK/builds"; sleep 0.2\n${go}` });
    const paths = await Promise.all([findTemporal({ env, report }), findTemporal({ env, report })]);
    assert.equal(paths, [join(built, 'temporal'), join(built, 'temporal')]);
    assert.is(await readFile(join(folder, 'builds'), 'utf8'), 'x\n');
    assert.ok(lines.some((line) => line.startsWith('Waiting for the Temporal server')));
  }),
);

Temporal('that another start builds is waited for until the start is ended', () =>
  withFolder(async (folder) => {
    const { built, env, report } = await machine(folder, { go: `${go}\nexec sleep 60` });
    const [building, waiting] = [new AbortController(), new AbortController()];
    const first = rejectionOf(findTemporal({ env, report, signal: building.signal }));
    await eventually('it builds', async () => (await processesWith(folder)).length > 0);
    const second = rejectionOf(findTemporal({ env, report, signal: waiting.signal }));
    waiting.abort();
    assert.is((await second).name, 'AbortError');
    building.abort();
    await first;
    assert.equal(await readdir(built), []);
  }),
);

Temporal('whose build fails leaves nothing behind, and the end of the build is reported', () =>
  withFolder(async (folder) => {
    const { built, env, report } = await machine(folder, { go: `${go}\necho "no such module" >&2; exit 1` });
    const error = await rejectionOf(findTemporal({ env, report }));
    assert.match(error.message, 'no such module');
    assert.equal(await readdir(built), []);
  }),
);

Temporal('whose build is interrupted leaves neither a program nor a process behind', () =>
  withFolder(async (folder) => {
    const { built, env, report } = await machine(folder, { go: `${go}\nexec sleep 60` });
    const ending = new AbortController();
    const finding = rejectionOf(findTemporal({ env, report, signal: ending.signal }));
    await eventually('it builds', async () => (await processesWith(folder)).length > 0);
    ending.abort();
    await finding;
    assert.equal(await readdir(built), []);
    assert.equal(await processesWith(folder), []);
  }),
);

Temporal('whose builder was killed is built again', () =>
  withFolder(async (folder) => {
    const { built, env, report } = await machine(folder, { go: `${go}\nexec sleep 60` });
    const module = join(import.meta.dirname, '../../dev/temporal-program.ts');
    const script = `const { findTemporal } = await import(${JSON.stringify(module)});
      await findTemporal({ env: process.env, report: () => {} });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { env, detached: true });
    await eventually('it builds', async () => (await processesWith(folder)).length > 1);
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await once(child, 'exit');
    assert.not((await readdir(built)).includes('temporal'));
    await program(join(folder, 'bin', 'go'), go);
    assert.is(await findTemporal({ env, report }), join(built, 'temporal'));
  }),
);

Temporal.run();
