import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allRows, testRows } from './hostile-service/test-rows.ts';

const project = join(import.meta.dirname, '..', '..');
const test = suite('hostile input of callers');
await testRows(test, 'usual');

/** What reads text or bytes of somebody else. */
const parser =
  /\bJSON\.parse\(|\breadJson\(|\bpercentDecoded(?:OrSame)?\(|\bparseDocument\(|\bURL\.parse\(|\bnew URL(?:SearchParams)?\(|\b(?:merge)?[fF]romBinary\(|\bfromJson(?:String)?\(|\bdecodeURIComponent\(|\bBinaryReader\(/;

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
  'kit/documents/read-aside.ts': 'names its own thread',
  'core/domains/login-settings.ts': 'reads what core has stored, of a login that was checked',
  'core/grpc-message.ts': 'reads what core itself has encoded',
  'core/coverage/left-writes.ts': 'reads what core has stored of a run, which is bounded',
  'core/coverage/record-coverage.ts': 'reads what core has stored of a run, which is bounded',
  'core/runs/facts.ts': 'reads what core has stored of a run, which is bounded',
  'core/runs/permissions.ts': 'reads what core has stored of a run, which is bounded',
  'core/runs/site-map.ts': 'reads what core has stored of a run, which is bounded',
  'core/findings/record-findings.ts': 'reads what core has stored of a run, which is bounded',
  'core/runs/writes.ts': 'reads what core has stored of a run, which is bounded',
  'core/findings/findings.ts': 'reads what core has stored of a run, which is bounded',
  'core/scans/scan-record.ts': 'reads what core has stored of a run, which is bounded',
  'gateway/openapi/examples.ts': 'reads the contract',
  'listener/certificate.ts': 'makes a certificate',
  'kit/config.ts': 'reads settings of the operator',
  'kit/json.ts': 'reads what its users read, which have rows of their own',
  'kit/percent.ts': 'reads what its users read, which have rows of their own',
};

test('every parser of gateway, core, listener, cli and kit has a row, or reads what no caller sends', async () => {
  const covered = new Set((await allRows()).flatMap(({ covers }) => covers));
  const missing: string[] = [];
  const found = new Set<string>();
  for await (const file of glob('{gateway,core,listener,cli,kit}/**/*.ts', { cwd: project })) {
    found.add(file);
    const source = await readFile(join(project, file), 'utf8');
    if (parser.test(source) && !covered.has(file) && !(file in ownData)) missing.push(file);
  }
  assert.equal(missing, [], 'add a row to test/security/hostile-service, or say why none is needed');
  for (const file of [...covered, ...Object.keys(ownData)]) assert.ok(found.has(file), `${file} is gone`);
});

test.run();
