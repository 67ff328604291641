import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PageSurface } from '../../../../workflows/checks/contract.ts';
import { atMost, pagesAtMost } from '../../../../workflows/checks/support/at-most.ts';
import type { Omitted } from '../../../../workflows/orchestration/omissions.ts';

const test = suite('places that a check leaves out');

function teller() {
  const told: Omitted[] = [];
  return { told, leave: (omitted: Omitted) => void told.push(omitted) };
}

const page = (path: string, build: number): PageSurface => ({
  ...{ url: `https://shop.example${path}`, status: 200, contentType: 'text/html', headers: [], setCookies: [] },
  ...{ title: '', scripts: [], source: '' },
  shape: Array.from({ length: 16 }, (_, index) => build * 100 + index),
});

test('a list that fits is taken whole, and nothing is told', () => {
  const context = teller();
  assert.equal(atMost(context, [1, 2], 2, 'files'), [1, 2]);
  assert.equal(pagesAtMost(context, [page('/a', 1)], 1).length, 1);
  assert.equal(context.told, []);
});

test('what is beyond the bound is a gap that names the bound', () => {
  const context = teller();
  assert.equal(atMost(context, [1, 2, 3, 4, 5], 2, 'script files'), [1, 2]);
  assert.equal(context.told, [
    { code: 'too_many', count: 3, text: '3 of 5 script files were not looked at: the check looks at 2 at most' },
  ]);
});

test('of pages each build comes before the second page of any, and pages built alike speak for each other', () => {
  const context = teller();
  const catalogue = Array.from({ length: 20 }, (_, index) => page(`/item/${index}`, 1));
  const chosen = pagesAtMost(context, [...catalogue, page('/about', 2), page('/terms', 3)], 6);
  assert.equal(
    chosen.map(({ url }) => new URL(url).pathname),
    ['/item/0', '/item/1', '/item/2', '/item/3', '/about', '/terms'],
  );
  assert.equal(
    context.told.map(({ code, count }) => [code, count]),
    [['alike', 16]],
  );
});

test('pages of builds of which too few are looked at are a gap', () => {
  const context = teller();
  pagesAtMost(
    context,
    Array.from({ length: 9 }, (_, index) => page(`/${index}`, index)),
    4,
  );
  assert.equal(
    context.told.map(({ code, count }) => [code, count]),
    [['too_many', 5]],
  );
});

test.run();
