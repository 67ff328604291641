import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { librariesIn, longestLiteral } from '../../../../workflows/checks/client/library-files.ts';
import { type LibraryData, readLibraryData, shippedLibraryData } from '../../../../workflows/checks/library-data.ts';
import { libraries } from '../../../scorecard/sites/script-pages.ts';

const test = suite('libraries that a file shows');

const versionsIn = (text: string, data: LibraryData = shippedLibraryData): string[] =>
  librariesIn(data, { text, body: Buffer.from(text) }).map(({ library, version }) => `${library} ${version}`);

test('a real library is known by its banner, and without one by its code', async () => {
  const [minified, slim] = [await libraries.jquery(), await libraries.jquerySlim()];
  const withoutBanner = minified.replace(/^\/\*![\s\S]*?\*\//, '');
  for (const text of [minified, slim, withoutBanner, `(() => { const module = {};\n${withoutBanner}\n})();`])
    assert.equal(versionsIn(text), ['jquery 3.4.1']);
});

test('what shows it is one line that stands in the file', async () => {
  const text = await libraries.jquerySlim();
  const [mark] = librariesIn(shippedLibraryData, { text, body: Buffer.from(text) });
  const line = mark && 'text' in mark ? mark.text : '';
  assert.ok(line.includes('3.4.1') && text.includes(line) && !line.includes('\n'), line);
});

const code = 'use(it);'.repeat(400);
const mentions: Record<string, string> = {
  'a banner without code': '/*! jQuery v1.12.4 */',
  'a banner whose code was removed': `/*! jQuery v1.12.4 */\n/*! widget 2 */${code}`,
  'a comment that names it': `/* Replaces:\n * jQuery JavaScript Library v1.12.4 */${code}`,
  'a line of comment': `// $Id: jquery.js,v 1.2.6\n${code}`,
  'a banner that never ends': `/*! jQuery v1.12.4 ${code}`,
  'a current library': `/*! widget v3 */${code}`,
};
for (const [what, text] of Object.entries(mentions))
  test(`${what} is no library`, () => assert.equal(versionsIn(text), []));

test('a whole file is known by its digest', () => {
  const hashes = { [createHash('sha1').update(code).digest('hex')]: '1.0.2' };
  const data = readLibraryData({ quilt: { vulnerabilities: [], extractors: { hashes } } }, 'of a test');
  assert.equal([versionsIn(code, data), versionsIn(`${code} `, data)], [['quilt 1.0.2'], []]);
});

test('a pattern that cannot be tried in linear time is skipped', () => {
  const filecontent = ['quilt-library (.)\\1 (§§version§§)', 'quilt-version="(§§version§§)"'];
  const data = readLibraryData({ quilt: { vulnerabilities: [], extractors: { filecontent } } }, 'of a test');
  assert.equal(versionsIn('quilt-library xx 1.0; quilt-version="1.1.min"', data), ['quilt 1.1']);
});

test('a large file of near misses takes a moment, not a scan', () => {
  const started = performance.now();
  assert.equal(versionsIn('/*! jQuery v'.repeat(100_000)), []);
  assert.ok(performance.now() - started < 5_000);
});

test('the longest text of a pattern leaves out what may be missing', () => {
  assert.is(longestLiteral('/\\*!? jQuery v([0-9]+)'), ' jQuery v');
  assert.is(longestLiteral('[^a-z.]jquery:[ ]?"([0-9])"'), 'jquery:');
  assert.is(longestLiteral('\\.VERSION="([0-9]+)"(?:,.)?,.\\.prototype'), '.VERSION="');
  assert.is(longestLiteral('abcdef|x'), '');
  assert.is(longestLiteral('abcd{0,2}ef'), 'abc');
});

test.run();
