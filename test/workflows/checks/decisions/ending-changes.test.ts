import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { endingChanges } from '../../../../workflows/checks/decisions/ending-changes.ts';

const test = suite('ending changes');
const refused = 'https://quay.example/papers/list.csv';
const page = (path: string, status = 200) => ({ url: `https://quay.example${path}`, status });
const changed = (...pages: ReturnType<typeof page>[]) => endingChanges(refused, pages).map((each) => each.changed.url);

test('an ending that files beside the refused one are served with stands behind a NUL byte', () => {
  assert.equal(changed(page('/papers/terms.md')), [`${refused}%00.md`, `${refused}%2500.md`]);
});

test('nothing is tried without another ending that is served in the same folder', () => {
  assert.equal(changed(page('/papers/other.csv'), page('/papers/terms.md', 403), page('/terms.md')), []);
  assert.equal(endingChanges('https://quay.example/papers/', [page('/papers/terms.md')]), []);
});

test.run();
