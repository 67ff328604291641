import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addressesInNote, addressesInProse } from '../../../../workflows/survey/addresses/prose.ts';

const test = suite('addresses in text');

test('are those of files where a stack of an error names lines and columns', () => {
  assert.equal(addressesInProse('at render (http://a.localhost/app.js:9:49181) at http://a.localhost/b.js?v=2:7:1'), [
    'http://a.localhost/app.js',
    'http://a.localhost/b.js?v=2',
  ]);
});

test('keep ports, and numbers that are no place in a file', () => {
  const urls = ['http://a.com:8080', 'http://a.localhost/notes/a:1:2'];
  assert.equal(addressesInProse(urls.join(' ')), urls);
});

test('are those of a log by its whole path, and not of any word with such an ending', () => {
  assert.equal(addressesInProse('moved to /old/app.log, see error.log and /old/app.logger'), ['/old/app.log']);
});

test('are plain paths in a comment behind a word, and no markers of where an element ends', () => {
  const paths = (text: string) => addressesInNote(text).filter((found) => !found.includes('.'));
  assert.equal(paths(' editors: see /cms/ '), ['/cms/']);
  assert.equal(paths(' build 114, state: /debug/state. Log in at "/dev-login" '), ['/debug/state', '/dev-login']);
  for (const text of ['/wrapper', ' end of /content ', ' /wp:paragraph ', 'and/or', 'km/h', '</div> closes', 'a / b'])
    assert.equal(paths(text), [], text);
});

test.run();
