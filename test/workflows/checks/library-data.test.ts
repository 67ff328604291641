import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compareVersions, readLibraryData, shippedLibraryData } from '../../../workflows/checks/library-data.ts';

const test = suite('known weaknesses of libraries');
const { weaknessesOf } = shippedLibraryData;

test('versions are ordered as their makers mean them', () => {
  const ordered = ['1.4', '1.4.1', '1.9.0b1', '1.9.0', '1.10.0', '3.0.0-beta1', '3.0.0-rc.1', '3.0.0', '3.0.1'];
  assert.equal(ordered.toReversed().sort(compareVersions), ordered);
  assert.is(compareVersions('1.2.0', '1.2'), 0);
  assert.is(compareVersions('1.2.3+build', '1.2.3'), 0);
});

test('a version has the weaknesses that were repaired after it', () => {
  const ids = weaknessesOf('jquery', '3.4.1').map(({ id }) => id);
  assert.equal(ids.toSorted(), ['CVE-2020-11022', 'CVE-2020-11023']);
  assert.equal(weaknessesOf('jquery', '3.7.1'), []);
});

test('what only takes time in the visitor’s browser, or is only out of support, does not count', () => {
  assert.equal(weaknessesOf('moment.js', '2.29.3'), []);
  assert.equal(weaknessesOf('vue', '2.7.16'), []);
});

test('data of another day is read by its shape, with the versions that it takes out', () => {
  const known = { severity: 'high', below: '2.0.0', excludes: ['1.9.9'], identifiers: { CVE: ['CVE-2099-0001'] } };
  const data = readLibraryData({ quilt: { vulnerabilities: [known], licenses: ['MIT'] } }, 'of tomorrow');
  assert.equal([data.origin, data.marks[0]?.library], ['of tomorrow', 'quilt']);
  assert.equal(data.weaknessesOf('quilt', '1.9.8'), [{ id: 'CVE-2099-0001', summary: '', fixedIn: '2.0.0' }]);
  assert.equal([data.weaknessesOf('quilt', '1.9.9'), data.weaknessesOf('quilt', '2.0.0')], [[], []]);
});

for (const bad of [null, [], 'text', { quilt: 1 }, { quilt: { vulnerabilities: [{ severity: 'huge' }] } }])
  test(`what is not such data is refused: ${JSON.stringify(bad)}`, () => {
    assert.throws(() => readLibraryData(bad, 'of nowhere'), /Invalid|expected/i);
  });

test('it says which package shipped it', () => assert.match(shippedLibraryData.origin, / \d+\.\d+\.\d+$/));

test('a library that nobody knows has none', () => assert.equal(weaknessesOf('nothing', '1.0.0'), []));

test.run();
