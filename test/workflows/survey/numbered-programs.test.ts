import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FormSurface } from '../../../workflows/model/surface.ts';
import { createInputList } from '../../../workflows/survey/inputs.ts';

const test = suite('numbered pages that are programs of their own');

const site = 'https://shop.example';
const formOf = (path: string, method: 'GET' | 'POST', names: readonly string[], hidden: [string, string][] = []) =>
  ({
    ...{ pageUrl: site + path, action: site + path, method, enctype: 'application/x-www-form-urlencoded' },
    fields: [
      ...hidden.map(([name, value]) => ({ name, type: 'hidden', value })),
      ...names.map((name) => ({ name, type: 'text', value: 'a' })),
    ],
  }) satisfies FormSurface;
const numbers = [1, 2, 3, 4, 5, 6];
const wayOf = (number: number) => (number % 2 === 0 ? 'GET' : 'POST');
const placesOf = (forms: readonly FormSurface[]): string[] => {
  const list = createInputList();
  for (const form of forms) list.addForm(form);
  return list
    .all()
    .map(({ method, parameter, route, isNumbered }) => `${method} ${route} ${parameter}${isNumbered ? ' own' : ''}`);
};

test('have inputs of their own where one takes by POST what another takes by GET', () => {
  assert.equal(
    placesOf(numbers.map((number) => formOf(`/case/0000${number}`, wayOf(number), ['text']))),
    numbers.map((number) => `${wayOf(number)} /case/0000${number} text own`),
  );
});

test('are known by a number that stands in the name of a page, or in a parameter', () => {
  const named = numbers.map((number) => formOf(`/Exercise${number}.html`, wayOf(number), ['text']));
  assert.is(placesOf(named).filter((each) => each.endsWith('own')).length, 6);
  const chosen = numbers.map((number) => formOf('/run', wayOf(number), ['text'], [['case', String(number)]]));
  const list = createInputList();
  for (const form of chosen) list.addForm(form);
  assert.ok(list.all().some(({ url }) => url === `${site}/run?case=2`));
  assert.is(placesOf(chosen).filter((each) => /case=\d text own$/.test(each)).length, 6);
});

test('are not pages of things that take the same, though some take more', () => {
  const products = numbers.map((number) => formOf(`/product/${number}`, 'POST', ['amount']));
  const further = [1, 2].map((number) => formOf(`/product/${number}`, 'GET', [`size${number}`]));
  assert.equal(
    placesOf([...products, ...further]).filter((each) => each.endsWith('own')),
    [],
  );
});

test('are not pages that links alone give different parameters', () => {
  const list = createInputList();
  for (const number of numbers) list.addUrl(`${site}/topic/${number}?${number % 2 === 0 ? 'page=2' : 'view=new'}`);
  assert.equal(
    list.all().filter(({ isNumbered }) => isNumbered),
    [],
  );
});

test('keep no field that a script of theirs sends elsewhere', () => {
  const list = createInputList();
  for (const number of numbers) list.addForm(formOf(`/case/${number}`, wayOf(number), ['text']));
  list.leave(`${site}/case/2`, ['text']);
  assert.equal(
    list.all().map(({ url }) => url.replace(`${site}/case/`, '')),
    ['1', '3', '4', '5', '6'],
  );
});

test.run();
