import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addressesInJson } from '../../../../workflows/survey/addresses/json.ts';

const test = suite('addresses in JSON');

test('a value in base64 that begins with a slash is none', () => {
  const root = { seals: ['/WHgPc0=', '/HnNE/Y='], goods: '/goods/7', more: '/list?after=MTI=' };
  assert.equal([...addressesInJson(root)].toSorted(), ['/goods/7', '/list?after=MTI=']);
});

test.run();
