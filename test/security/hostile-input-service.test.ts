import { spawn } from 'node:child_process';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Measured, Row } from './hostile-service/row.ts';

const folder = join(import.meta.dirname, 'hostile-service');
const project = join(import.meta.dirname, '..', '..');
const modules = ['gateway-rows.ts', 'document-rows.ts', 'core-rows.ts', 'cli-rows.ts'];

/** Of the thread that serves everybody. A document is read in a thread of its own, which is ended after 20 s. */
const maxMs = 1_000;
const maxAsideMs = 10_000;
const maxMemoryMb = 64;
/** Twice the input may take three times as long, not four: measured where it is long enough to be told from noise. */
const maxGrowth = 3.5;
const noiseMs = 400;

const test = suite('hostile input of callers');

for (const module of modules) {
  const { rows } = (await import(join(folder, module))) as { rows: readonly Row[] };
  const measured = Promise.withResolvers<Map<string, Measured>>();
  test(`${module}: is measured in a process of its own`, async () => {
    measured.resolve(await measure(module));
    assert.is((await measured.promise).size, rows.length);
  });
  for (const row of rows)
    test(`${module}: ${row.name}`, async () => {
      const result = (await measured.promise).get(row.name);
      if (!result) throw new Error('it was not measured');
      const { ms, halfMs, memoryMb } = result;
      assert.ok(ms <= (row.isAside ? maxAsideMs : maxMs), `${ms} ms`);
      assert.ok(ms <= noiseMs || ms <= maxGrowth * halfMs, `${halfMs} ms for half of it, ${ms} ms for all`);
      if (!row.isAside) assert.ok(memoryMb <= maxMemoryMb, `${memoryMb} MiB`);
    });
}

async function measure(module: string): Promise<Map<string, Measured>> {
  const program = join(folder, 'measure.ts');
  const child = spawn(process.execPath, ['--expose-gc', program, join(folder, module)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 500_000,
  });
  const lines = (await text(child.stdout)).split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => JSON.parse(line) as Measured).map((result) => [result.name, result]));
}

/** What reads text or bytes of somebody else. */
const parser =
  /\bJSON\.parse\(|\bparseDocument\(|\bURL\.parse\(|\bnew URL(?:SearchParams)?\(|\b(?:merge)?[fF]romBinary\(|\bfromJson(?:String)?\(|\bdecodeURIComponent\(|\bBinaryReader\(/;

/** Files with such code that no caller can reach, each with the reason. */
const ownData: Record<string, string> = {
  'cli/api/client.ts': 'reads answers of the service that the user names',
  'cli/api/scans.ts': 'makes URLs of the service that the user names',
  'cli/output/junit.ts': 'makes a URL of its own output',
  'cli/settings.ts': 'reads settings of its user',
  'cli/program.ts': 'reads settings of its user',
  'cli/version.ts': 'reads package.json',
  'cli/context.ts': 'reads settings of its user',
  'core/config.ts': 'reads settings of the operator',
  'core/db/migrate.ts': 'reads settings of the operator',
  'core/db/tls.ts': 'reads settings of the operator',
  'core/domains/documents/read-aside.ts': 'names its own thread',
  'core/domains/login-settings.ts': 'reads what core has stored, of a login that was checked',
  'core/grpc-message.ts': 'reads what core itself has encoded',
  'core/coverage/left-writes.ts': 'reads what core has stored of a run, which is bounded',
  'core/coverage/record-coverage.ts': 'reads what core has stored of a run, which is bounded',
  'core/runs/facts.ts': 'reads what core has stored of a run, which is bounded',
  'core/runs/permissions.ts': 'reads what core has stored of a run, which is bounded',
  'core/findings/record-findings.ts': 'reads what core has stored of a run, which is bounded',
  'core/runs/writes.ts': 'reads what core has stored of a run, which is bounded',
  'core/findings/findings.ts': 'reads what core has stored of a run, which is bounded',
  'core/scans/scan-record.ts': 'reads what core has stored of a run, which is bounded',
  'gateway/openapi/examples.ts': 'reads the contract',
  'kit/config.ts': 'reads settings of the operator',
};

test('every parser of gateway, core, cli and kit has a row, or reads what no caller sends', async () => {
  const rows = await Promise.all(modules.map(async (module) => (await import(join(folder, module))).rows as Row[]));
  const covered = new Set(rows.flat().flatMap(({ covers }) => covers));
  const missing: string[] = [];
  const found = new Set<string>();
  for await (const file of glob('{gateway,core,cli,kit}/**/*.ts', { cwd: project })) {
    found.add(file);
    const source = await readFile(join(project, file), 'utf8');
    if (parser.test(source) && !covered.has(file) && !(file in ownData)) missing.push(file);
  }
  assert.equal(missing, [], 'add a row to test/security/hostile-service, or say why none is needed');
  for (const file of [...covered, ...Object.keys(ownData)]) assert.ok(found.has(file), `${file} is gone`);
});

test.run();
