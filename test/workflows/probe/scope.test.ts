import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { scopeOf } from '../../../workflows/probe/scope.ts';

const test = suite('the scope of an audit');

test('is one host at its ports', () => {
  const { coversUrl } = scopeOf('https://shop.example/');
  for (const url of ['https://shop.example/a', 'http://SHOP.example./b', 'wss://shop.example/c'])
    assert.ok(coversUrl(url), url);
  for (const url of [
    'https://shop.example:8443/',
    'https://www.shop.example/',
    'https://shop.example.test/',
    'mailto:a',
  ])
    assert.not.ok(coversUrl(url), url);
});

test('has this machine by each of its names, at the same port alone', () => {
  const own = ['http://localhost:8080/', 'http://127.0.0.1:8080/', 'http://[::1]:8080/'];
  for (const target of own) assert.equal(own.filter(scopeOf(target).coversUrl), own, target);
  const { coversUrl } = scopeOf('http://localhost:8080/');
  for (const url of ['http://127.0.0.1:8081/', 'http://127.0.0.2:8080/', 'http://shop.localhost:8080/'])
    assert.not.ok(coversUrl(url), url);
  assert.not.ok(scopeOf('http://shop.localhost:8080/').coversUrl('http://127.0.0.1:8080/'));
});

test.run();
