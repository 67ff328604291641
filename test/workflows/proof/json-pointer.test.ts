import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jsonAt, pointerTo } from '../../../workflows/model/json-pointer.ts';

const test = suite('a pointer into JSON');

const text = JSON.stringify({ role: 'user', n: 0, off: false, none: null, list: [{ 'a/b~c': 1 }], é: 'ü' });

for (const [pointer, expected] of [
  ['/role', '"user"'],
  ['/n', '0'],
  ['/off', 'false'],
  ['/none', 'null'],
  ['/list/0/a~1b~0c', '1'],
  ['/é', '"ü"'],
] as const)
  test(`${pointer} is ${expected}`, () => assert.is(jsonAt(text, pointer), expected));

for (const pointer of ['/rolle', '/role/length', '/list/1', '/toString', 'role', '/none/x'])
  test(`${pointer} is nothing`, () => assert.is(jsonAt(text, pointer), undefined));

test('the empty pointer is the whole', () => assert.is(jsonAt('{ "a" : 1 }', ''), '{"a":1}'));

test('how a value is spelled does not matter, its type does', () => {
  assert.is(jsonAt('{"name":"Z\\u00fcrich \\/ CH"}', '/name'), '"Zürich / CH"');
  assert.not.equal(jsonAt('{"admin":"false"}', '/admin'), jsonAt('{"admin":false}', '/admin'));
});

test('what is no JSON has nothing', () => {
  for (const body of ['<h1>Error</h1>', '', '{"a":']) assert.is(jsonAt(body, '/a'), undefined);
});

test('a name of any characters leads to its value', () => {
  for (const name of ['role', 'a/b', '~1', '', 'x~y/z'])
    assert.is(jsonAt(JSON.stringify({ [name]: 1 }), pointerTo(name)), '1');
});

test.run();
