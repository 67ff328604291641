import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClientAddresses } from '../../../workflows/survey/client-addresses.ts';
import { linksInScript } from '../../../workflows/survey/text.ts';

const test = suite('parts of a script that a bundler made');

test('lie beside the script that names them, and other files where the page is', () => {
  const script = 'const parts=["./da-DK1x9_zQ.js","./base-C2P6mTzO.css"];load("./printing.js")';
  const { links, guesses, modules } = linksInScript(script, 'http://shop.localhost/desk/', createClientAddresses());
  assert.equal(modules, ['./da-DK1x9_zQ.js', './base-C2P6mTzO.css']);
  assert.equal([...links.urls, ...guesses.urls], ['http://shop.localhost/desk/printing.js']);
});

test.run();
