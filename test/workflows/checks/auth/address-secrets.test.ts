import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addressesIn } from '../../../../workflows/checks/auth/address-secrets.ts';
import type { Exchange } from '../../../../workflows/model/http.ts';

const test = suite('addresses in markup');

const addresses = (text: string): string[] => {
  const headerValues = (name: string) => (name.toLowerCase() === 'content-type' ? ['text/html'] : []);
  return addressesIn({ text, headerValues, header: (name) => headerValues(name)[0] } as Exchange, 'body');
};

test('a page that loads itself anew names no address, and one that leads elsewhere does', () => {
  assert.equal(addresses('<meta http-equiv="refresh" content="30">'), []);
  assert.equal(addresses(`<meta http-equiv="refresh" content="3; url='/next?sid=7'">`), ['/next?sid=7']);
});

test.run();
