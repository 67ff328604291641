import { appendFile, cp, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { catalogueFile, catalogueOf, isCatalogueFresh } from '../../dev/check-catalogue.ts';
import { staleFiles } from '../../dev/generated.ts';
import { loadRegistry, registryOf } from '../../workflows/checks/registry.ts';
import { further } from '../support/further.ts';

const project = join(import.meta.dirname, '..', '..');

const Generated = suite('generated code');

Generated('is what the contract generates', async () => {
  assert.equal(await staleFiles(project), []);
});

further(Generated)('is stale when the contract has changed, or the code was edited or added by hand', async () => {
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

const Catalogue = suite('catalogue of checks');

Catalogue('is what the checks say', async () => {
  assert.ok(await isCatalogueFresh(project), `${catalogueFile} is stale: run npm run generate`);
});

Catalogue('is stale when it was edited by hand, and when it is not there', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'scan-audit-catalogue-'));
  try {
    assert.not(await isCatalogueFresh(copy));
    await mkdir(join(copy, 'docs'));
    await cp(join(project, catalogueFile), join(copy, catalogueFile));
    assert.ok(await isCatalogueFresh(copy));
    await appendFile(join(copy, catalogueFile), 'edited');
    assert.not(await isCatalogueFresh(copy));
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
});

Catalogue('has every check and chain step once, with its texts, and with files that exist', async () => {
  const { families, steps } = await loadRegistry();
  const text = await readFile(join(project, catalogueFile), 'utf8');
  for (const { id, title } of [...families.flatMap(({ checks }) => checks), ...steps])
    assert.is(text.split(`<a id="${id}"></a>`).length, 2, `${id} (${title})`);
  const files = [...text.matchAll(/\[(?:source|cases)\]\(([^)]+)\)/g)].map(([, path = '']) => path);
  assert.is(files.length, 2 * families.flatMap(({ checks }) => checks).length + steps.length);
  for (const path of files) assert.ok((await stat(join(project, dirname(catalogueFile), path))).isFile(), path);
});

Catalogue('changes with the severity and the texts of a check, and takes no sign in them for Markdown', async () => {
  const { families, steps } = await loadRegistry();
  const [check] = families.flatMap(({ checks }) => checks);
  assert.ok(check);
  const cvss = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
  const changed = { ...check, cvss, explain: { ...check.explain, sends: '<b>*one* `<two>`' } };
  const text = catalogueOf(registryOf([changed], steps));
  assert.match(text, `\`${check.id}\` · critical (9.8) · ${check.depth}`);
  assert.match(text, '**Sends:** \\<b\\>\\*one\\* `<two>`');
});

Catalogue.run();
