import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { wordGroups } from '../../../../workflows/checks/inputs/input-words.ts';
import type { ChoiceSurface, InputSurface, PageSurface } from '../../../../workflows/model/surface.ts';

const test = suite('parts of paths beside a word that a program reads');

const site = 'https://books.example';
const orders = ['new', 'old', 'abc', 'zyx', 'rated', 'sold', 'cheap', 'dear'];

const inputOf = (list: string, word: string): InputSurface => ({
  ...{ method: 'GET', url: `${site}/${list}/${word}/4`, route: `/${list}/${word}/{id}`, parameter: '3', in: 'path' },
  ...{ sample: '4', others: [] },
});
const inputsOf = (lists: readonly string[], words: readonly string[]) =>
  lists.flatMap((list) => words.map((word) => inputOf(list, word)));

/** @param differing every page is built in its own way */
const pagesOf = (inputs: readonly InputSurface[], differing = false): PageSurface[] =>
  inputs.map(({ url }, page) => ({
    ...{ url, status: 200, contentType: 'text/html', headers: [], setCookies: [], title: '', scripts: [] },
    ...{ source: 'link', shape: Array.from({ length: 16 }, (_, index) => (differing ? 100 * page : 0) + index) },
  }));

const choice: ChoiceSurface = {
  ...{ pageUrl: `${site}/series/4`, route: '/series/{name}', parameter: '2', chosen: `${site}/series/new/4` },
  ...{ others: orders.slice(1).map((word) => `${site}/series/${word}/4`), values: orders },
};

const countOf = (inputs: readonly InputSurface[], pages: readonly PageSurface[], choices: ChoiceSurface[] = []) => {
  const groups = wordGroups(inputs, { pages, choices });
  return { named: groups.size, groups: new Set(groups.values()).size };
};

test('are one group where pages mark the word as the one that is chosen', () => {
  const inputs = inputsOf(['series'], orders.slice(0, 4));
  assert.equal(countOf(inputs, pagesOf(inputs), [choice]), { named: 4, groups: 1 });
});

test('are one group for each list where the lists have the same words', () => {
  const inputs = inputsOf(['series', 'author'], orders);
  assert.equal(countOf(inputs, pagesOf(inputs)), { named: 16, groups: 2 });
});

test('are looked at one by one where the words are those of one list, few, or not alike', () => {
  const one = inputsOf(['series'], orders);
  assert.is(countOf(one, pagesOf(one)).named, 0);
  const levels = inputsOf(['search', 'lookup'], ['low', 'medium', 'high']);
  assert.is(countOf(levels, pagesOf(levels)).named, 0);
  const programs = inputsOf(['search', 'lookup'], orders);
  assert.is(countOf(programs, pagesOf(programs, true)).named, 0);
  const sections = inputsOf(['series'], orders);
  assert.is(countOf(sections, pagesOf(sections, true), [choice]).named, 0);
});

test.run();
