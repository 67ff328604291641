import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projectFolder } from '../../dev/config.ts';
import { contractBreaks } from '../../dev/contract-breaks.ts';
import { withFolder } from '../support/folder.ts';
import { further } from '../support/further.ts';

const test = suite('breaks of the contract');

const proto = 'proto/scanaudit/v1/scans.proto';
const before = 'message GetScanRequest {';

/** A repository with the contract of this project as its first commit, and a second one. */
function repository(folder: string) {
  for (const name of ['proto/scanaudit', 'buf.yaml'])
    cpSync(join(projectFolder, name), join(folder, name), { recursive: true });
  symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], { cwd: folder });
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  const edit = (from: string, to: string) => {
    const text = readFileSync(join(folder, proto), 'utf8');
    assert.ok(text.includes(from));
    write(proto, text.replace(from, to));
  };
  const commit = () => {
    git('add', 'proto', 'buf.yaml', 'CHANGELOG.md');
    git('commit', '--quiet', '--message', 'Change');
  };
  git('init', '--quiet', '--initial-branch', 'main');
  write('CHANGELOG.md', '# Changelog\n\n## 0.1.0\n\n- All of it.\n');
  commit();
  return { git, write, edit, commit, breaks: () => contractBreaks(folder) };
}

further(test)('a field that goes is a break, before and after its commit, until CHANGELOG.md accepts it', () =>
  withFolder(async (folder) => {
    const { edit, commit, write, breaks } = repository(folder);
    assert.is(await breaks(), '', 'nothing to compare the first commit with');
    edit('message GetScanRequest {\n  string run_id = 1', 'message GetScanRequest {\n  string id = 7');
    assert.match(await breaks(), 'GetScanRequest');
    commit();
    assert.match(await breaks(), 'GetScanRequest');
    write('CHANGELOG.md', '# Changelog\n\n## 0.1.0\n\n- Breaking (contract): `ListScansRequest` is changed.\n');
    assert.match(await breaks(), 'GetScanRequest');
    write(
      'CHANGELOG.md',
      '# Changelog\n\n## 0.1.0\n\n- Breaking (contract): `GetScanRequest` names the run by its id.\n',
    );
    assert.is(await breaks(), '');
    write('CHANGELOG.md', '# Changelog\n\n## 0.2.0\n\n## 0.1.0\n\n- Breaking (contract): `GetScanRequest` …\n');
    assert.match(await breaks(), 'GetScanRequest', 'what an earlier release broke accepts nothing');
  }),
);

further(test)('what only adds is none, and a release is what is compared with from then on', () =>
  withFolder(async (folder) => {
    const { git, edit, commit, breaks } = repository(folder);
    edit(before, `${before}\n  string further = 99;`);
    commit();
    assert.is(await breaks(), '');
    git('tag', 'v0.1.0');
    edit('  string further = 99;\n', '');
    commit();
    assert.match(await breaks(), 'v0.1.0');
    edit(before, `${before}\n  string other = 98;`);
    commit();
    assert.match(await breaks(), 'v0.1.0');
  }),
);

test('this project keeps its contract', async () => {
  assert.is(await contractBreaks(projectFolder), '');
});

test.run();
