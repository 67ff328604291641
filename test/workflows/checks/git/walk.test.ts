import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openRepository } from '../../../../workflows/checks/git/repository.ts';
import { walkFiles } from '../../../../workflows/checks/git/walk.ts';
import { makeRepository } from '../../../fixtures/repository.ts';
import { startSite } from '../../../fixtures/site.ts';
import { openAudit } from '../harness.ts';

const test = suite('reading the files of a repository');

const commits = [
  { 'app.py': 'KEY = 1', 'pages/one.py': 'first' },
  { 'app.py': 'KEY = 2', 'pages/one.py': 'first', 'pages/two.py': 'second' },
];

/** The files with their contents, and the objects that were asked for one by one. */
async function read(storage: 'loose' | 'packed') {
  const repository = await makeRepository(commits, storage);
  const site = await startSite(({ path }) => (path.startsWith('/.git/') ? repository.serve(path.slice(6)) : undefined));
  const audit = await openAudit(`${site.url}/`);
  try {
    const files: string[] = [];
    for await (const { path, object } of walkFiles(audit.context, openRepository(audit.context, `${site.url}/.git/`)))
      files.push(`${path}: ${object.content.toString('utf8')}`);
    return { files, asked: site.requests.filter((request) => /objects\/[\da-f]{2}\//.test(request)).length };
  } finally {
    await audit.close();
    await site.close();
    await repository.remove();
  }
}

test('what was cloned is read out of its packs, and asked for one by one only until they are known', async () => {
  const [loose, packed] = [await read('loose'), await read('packed')];
  assert.equal(loose.files, ['app.py: KEY = 2', 'pages/one.py: first', 'pages/two.py: second', 'app.py: KEY = 1']);
  assert.equal(packed.files, loose.files);
  assert.ok(loose.asked > 8, String(loose.asked));
  assert.is(packed.asked, 1);
});

test.run();
