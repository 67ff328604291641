import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { saidBesides } from '../../../../workflows/checks/injection/said-besides.ts';

const test = suite('what a page says besides another');

const page = (text: string) =>
  `<html><body><h1>Files</h1><p>${text}</p><script>${'x'.repeat(1024 * 1024)}</script></body></html>`;

test('is read of pages with a megabyte without a gap, whatever path they repeat', () => {
  const [there, gone] = [page('Opened ../etc/passwd of 12 bytes'), page('No file ../passwd/etc is known')];
  assert.equal(saidBesides(there, gone), ['Opened [^\\s<>]{1,400} of [\\d.,]+ bytes']);
  assert.equal(saidBesides(gone, there), ['No file [^\\s<>]{1,400} is known']);
  assert.equal(saidBesides(there, there.replace('12', '7')), []);
});

test.run();
