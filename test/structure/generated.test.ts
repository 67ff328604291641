import { appendFile, cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { staleFiles } from '../../dev/generated.ts';

const project = join(import.meta.dirname, '..', '..');

const Generated = suite('generated code');

Generated('is what the contract generates', async () => {
  assert.equal(await staleFiles(project), []);
});

Generated('is stale when the contract has changed, or the code was edited or added by hand', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'scan-audit-contract-'));
  try {
    for (const name of ['proto', 'buf.yaml', 'buf.gen.yaml'])
      await cp(join(project, name), join(copy, name), { recursive: true });
    await symlink(join(project, 'node_modules'), join(copy, 'node_modules'));
    await appendFile(join(copy, 'proto/scanaudit/v1/orgs.proto'), '\nmessage Planted {}\n');
    await appendFile(join(copy, 'proto/gen/scanaudit/v1/keys_pb.ts'), '// edited\n');
    await writeFile(join(copy, 'proto/gen/scanaudit/v1/added_pb.ts'), '');
    const stale = ['added', 'keys', 'orgs'].map((name) => `scanaudit/v1/${name}_pb.ts`);
    assert.equal(await staleFiles(copy), stale);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
});

Generated.run();
