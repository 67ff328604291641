import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeEnvironment, nodeFlags } from '../../kit/node-flags.ts';

const project = join(import.meta.dirname, '../..');
const worker = 'workflows/main.ts';

const Flags = suite('flags of Node');

Flags('are the same wherever a worker is started', async () => {
  const flags = nodeFlags(worker).join(' ');
  const { scripts } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
  assert.is(scripts.worker, `node dev/boot.mjs ${flags} ${worker}`);
  const entry = await readFile(join(project, 'kit/docker-entrypoint.sh'), 'utf8');
  assert.match(entry, `workflows/*) set -- ${flags} "$@" ;;`);
});

Flags('come with an environment that is the same wherever a program is started', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'scan-audit-environment-'));
  const program = join(folder, 'print.mjs');
  await writeFile(program, 'console.log(process.env.MALLOC_ARENA_MAX)');
  const started = async (env: NodeJS.ProcessEnv) =>
    (await promisify(execFile)(process.execPath, ['dev/boot.mjs', program], { cwd: project, env })).stdout.trim();
  const { MALLOC_ARENA_MAX: _own, ...without } = process.env;
  try {
    assert.is(await started(without), nodeEnvironment.MALLOC_ARENA_MAX);
    assert.is(await started({ ...without, MALLOC_ARENA_MAX: '4' }), '4');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const entry = await readFile(join(project, 'kit/docker-entrypoint.sh'), 'utf8');
  assert.match(entry, `export MALLOC_ARENA_MAX="\${MALLOC_ARENA_MAX:-${nodeEnvironment.MALLOC_ARENA_MAX}}"`);
});

Flags('keep the young generation small', async () => {
  const script = `
    const kept = [];
    for (let count = 0; count < 3e6; count++) kept[count % 200_000] = { count, list: [count] };
    const space = require('node:v8').getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    console.log(space.space_size);`;
  const size = async (flags: readonly string[]) =>
    Number((await promisify(execFile)(process.execPath, [...flags, '-e', script])).stdout);
  assert.ok((await size(nodeFlags(worker))) <= 16 * 2 ** 20);
  assert.equal(nodeFlags('core/main.ts'), []);
});

Flags.run();
