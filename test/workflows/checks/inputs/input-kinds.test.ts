import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { kindsOf } from '../../../../workflows/checks/inputs/input-kinds.ts';
import type { InputSurface, PageSurface } from '../../../../workflows/model/surface.ts';

const test = suite('kinds of inputs');

const folder = 'https://wiki.example/wiki';
const inputsOf = (count: number, parameters = ['format', 'version']): InputSurface[] =>
  parameters.flatMap((parameter) =>
    Array.from({ length: count }, (_, index) => ({
      ...{ method: 'GET', url: `${folder}/Page${'abcdefghijklmnop'[index]}?${parameter}=txt`, route: '/wiki/{name}' },
      ...{ parameter, in: 'query' as const, sample: 'txt', others: [] },
    })),
  );

/** The first numbers stand for what pages have in common, and the others for what their content has. */
const pagesOf = (inputs: readonly InputSurface[], inCommon: number): PageSurface[] =>
  inputs.map(({ url }, page) => ({
    ...{
      url,
      status: 200,
      contentType: 'text/html',
      headers: [],
      setCookies: [],
      title: '',
      scripts: [],
      source: 'link',
    },
    shape: Array.from({ length: 16 }, (_, index) => (index < inCommon ? index : 100 * (page + 1) + index)),
  }));

const countOf = (inputs: InputSurface[], inCommon: number): number =>
  new Set(kindsOf(inputs, pagesOf(inputs, inCommon)).values()).size;

test('are one for many pages of a folder whose content is what differs', () => {
  assert.is(countOf(inputsOf(14), 10), 2);
});

test('are one for each where a folder has few such pages, or pages that have little in common', () => {
  assert.is(countOf(inputsOf(8), 10), 16);
  assert.is(countOf(inputsOf(14), 6), 28);
  assert.is(countOf(inputsOf(8), 15), 2);
});

test('are one for each page where they share a single parameter, as programs of their own do', () => {
  assert.is(countOf(inputsOf(14, ['format']), 10), 14);
});

test.run();
