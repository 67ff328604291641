import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { namedPath, partOf, partRoute } from '../../../workflows/probe/program-parts.ts';

const test = suite('parts of programs that have one address');

const routeOf = (address: string) => partRoute(`https://shop.example${address}`);

test('a word in a parameter that chooses is a part, whatever stands beside it', () => {
  assert.is(routeOf('/index.php?view=order&id=17'), '/index.php?view=order');
  assert.is(routeOf('/?a=register'), '/?a=register');
  assert.is(routeOf('/index.php?id=18&view=order#top'), '/index.php?view=order');
  assert.is(routeOf('/?r=user/edit&id=2'), '/?r=user/edit');
  assert.is(partOf('https://shop.example/?do=stock-list'), 'stock-list');
});

test('numbers, texts and other parameters choose no part, and identifiers in paths are replaced', () => {
  for (const query of ['page=2', 'p=a%20b', 'sort=name', 'view=', 'view=%3Cb%3E', 'q=view'])
    assert.is(routeOf(`/orders/17?${query}`), '/orders/{id}');
  assert.is(routeOf('/orders/17'), '/orders/{id}');
});

test('a part is the last name of a path', () => {
  const pathOf = (address: string) => namedPath(`https://shop.example${address}`);
  assert.equal(['/a/b.php?do=login', '/?r=/user/edit', '/help?q=a'].map(pathOf), [
    '/a/b.php/login',
    '/user/edit',
    '/help',
  ]);
});

test.run();
