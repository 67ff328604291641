import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClientAddresses } from '../../../workflows/survey/client-addresses.ts';
import { linksInScript } from '../../../workflows/survey/text.ts';

const test = suite('addresses that a script sends something to');

const linksIn = (script: string): string[] =>
  linksInScript(script, 'https://shop.example/', createClientAddresses()).links.urls;

test('an address that the script only sends to is not asked for', () => {
  assert.equal(linksIn("fetch('/api/votes', { method: 'POST' })"), []);
  assert.equal(linksIn("axios.put('/api/votes', {})"), []);
});

test('one that it asks for as well is', () => {
  const script = "const list = await fetch('/api/plates'); await fetch('/api/plates', { method: 'POST', body });";
  assert.equal(linksIn(script), ['https://shop.example/api/plates']);
});

test.run();
