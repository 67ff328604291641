import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileInclusion } from '../../../../workflows/checks/injection/file-inclusion.check.ts';
import { pathTraversal } from '../../../../workflows/checks/injection/path-traversal.check.ts';
import { escapeHtml } from '../../../fixtures/site.ts';
import { includingShows, readingShows, runningShows } from '../../../scorecard/sites/including-shows.ts';
import { firstRows, further } from '../../../support/further.ts';
import { isHere } from '../../../support/programs.ts';
import { resultOn } from './interpreter-sites.ts';

const test = suite('injection.file-inclusion');

if (isHere('php'))
  for (const [what, { link, show }] of firstRows(Object.entries(includingShows), 1))
    test(`${what} is found by code of ours that it runs, and not with a table of pages`, async () => {
      const found = await resultOn(fileInclusion, link, show('vulnerable'));
      assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
      const patched = await resultOn(fileInclusion, link, show('patched'));
      assert.equal([patched.outcome.kind, patched.findings.length], ['clean', 0], patched.outcome.reason);
    });

if (isHere('python3'))
  further(test)('Python that runs what an address names is found, and not where it shows that', async () => {
    const found = await resultOn(fileInclusion, '/report?include=week.py', runningShows('vulnerable'));
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
    const shown = await resultOn(fileInclusion, '/report?include=week.py', runningShows('patched'));
    assert.equal([shown.outcome.kind, shown.findings.length], ['clean', 0], shown.outcome.reason);
  });

if (isHere('php'))
  further(test)('what is included is no path traversal besides, and what is read alone is one', async () => {
    const [included] = Object.values(includingShows);
    const [read] = Object.values(readingShows);
    const results = await Promise.all([
      resultOn(pathTraversal, included?.link ?? '', included?.show('vulnerable') ?? (() => '')),
      resultOn(pathTraversal, '/index.php?page=home', read ?? (() => '')),
    ]);
    assert.equal(
      results.map(({ findings }) => findings.length),
      [0, 1],
    );
  });

const honest: Record<string, (value: string) => string | Promise<string>> = {
  ...(isHere('php') && readingShows),
  'that repeats the name': (value) => `<h1>${escapeHtml(value)}</h1>`,
  'that repeats the name as it is': (value) => `<h1>${value}</h1>`,
  'that says which file it did not find': (value) => `<p>Warning: include(${escapeHtml(value)}): failed to open</p>`,
};
for (const [which, show] of firstRows(Object.entries(honest), 2))
  test(`a page ${which} is clean`, async () => {
    const result = await resultOn(fileInclusion, '/index.php?page=home', show);
    assert.equal([result.outcome.kind, result.findings.length], ['clean', 0], result.outcome.reason);
  });

test('inputs that name no page are not asked', async () => {
  const result = await resultOn(fileInclusion, '/search?q=lamp', () => '<p>None</p>');
  assert.is(result.outcome.kind, 'not-applicable');
});

test.run();
