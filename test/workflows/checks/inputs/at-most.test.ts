import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  atMost,
  eachKindAtMost,
  likeliest,
  pagesAtMost,
  sample,
  samplePages,
  widened,
} from '../../../../workflows/checks/inputs/at-most.ts';
import type { Omitted } from '../../../../workflows/model/omission.ts';
import type { PageSurface } from '../../../../workflows/model/surface.ts';

const test = suite('places that a check leaves out');

function teller() {
  const reported: Omitted[] = [];
  return { reported, leave: (omitted: Omitted) => void reported.push(omitted) };
}

const page = (path: string, build: number): PageSurface => ({
  ...{ url: `https://shop.example${path}`, status: 200, contentType: 'text/html', headers: [], setCookies: [] },
  ...{ title: '', scripts: [], source: '' },
  shape: Array.from({ length: 16 }, (_, index) => build * 100 + index),
});

test('a list that fits is taken whole, and nothing is reported', () => {
  const context = teller();
  assert.equal(atMost(context, [1, 2], 2, 'files'), [1, 2]);
  assert.equal(pagesAtMost(context, [page('/a', 1)], 1).length, 1);
  assert.equal(context.reported, []);
});

test('a bound is widened by requests that are left, and never made narrower', () => {
  assert.is(widened({ allowance: () => 400 }, 60), 100);
  assert.is(widened({ allowance: () => 10 }, 60), 60);
  assert.equal([widened({ allowance: () => 4_000 }, 60, 10), widened({ allowance: () => 400 }, 60, 10)], [100, 60]);
});

test('what is beyond the bound is a gap that names the bound', () => {
  const context = teller();
  assert.equal(atMost(context, [1, 2, 3, 4, 5], 2, 'script files'), [1, 2]);
  assert.equal(context.reported, [
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
    context.reported.map(({ code, count }) => [code, count]),
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
    context.reported.map(({ code, count }) => [code, count]),
    [['too_many', 5]],
  );
});

test('of places each kind comes before the second of any, and enough of a kind speak for the others of it', () => {
  const context = teller();
  const folders = ['/a/1', '/a/2', '/a/3', '/a/4', '/a/5', '/b/1', '/c/1'];
  const kinds = { max: 5, kindOf: (folder: string) => folder.slice(0, 2) };
  assert.equal(eachKindAtMost(context, folders, kinds, 'folders'), ['/a/1', '/a/2', '/a/3', '/b/1', '/c/1']);
  const alone = teller();
  assert.equal(eachKindAtMost(alone, folders, { ...kinds, max: 2 }, 'folders'), ['/a/1', '/b/1']);
  assert.equal(
    [...context.reported, ...alone.reported].map(({ code, count }) => [code, count]),
    [
      ['alike', 2],
      ['too_many', 5],
    ],
  );
});

test('where a setting of the whole site shows, some places stand for all, and the others are a limit', () => {
  const context = teller();
  assert.equal(sample(context, [1, 2, 3], 2, 'inputs', 'errors are one setting'), [1, 2]);
  const pages = [page('/item/1', 1), page('/item/2', 1), page('/about', 2)];
  assert.equal(
    samplePages(context, pages, 2, 'headers are one setting').map(({ url }) => new URL(url).pathname),
    ['/item/1', '/about'],
  );
  assert.equal(context.reported, [
    {
      code: 'alike',
      count: 1,
      text: '1 of 3 inputs was not looked at: errors are one setting, and 2 were looked at',
    },
    {
      code: 'alike',
      count: 1,
      text: '1 of 3 pages was not looked at: headers are one setting, and 2 were looked at',
    },
  ]);
});

test('guesses, of which there is no end, are a limit', () => {
  const context = teller();
  assert.equal(likeliest(context, ['/', '/a/', '/b/'], 1, 'folders'), ['/']);
  assert.equal(
    context.reported.map(({ code, count }) => [code, count]),
    [['guessed', 2]],
  );
});

test.run();
