import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { basketRequests } from '../../../../workflows/checks/access/basket-requests.ts';
import type { FormSurface, Surface } from '../../../../workflows/model/surface.ts';

const test = suite('what puts a thing into a basket');

type Field = [name: string, type: string, value: string];
const requestOf = (fields: Field[], changes: Partial<FormSurface> = {}, pages: string[] = []) => {
  const form: FormSurface = {
    ...{ pageUrl: 'https://stage.example/show/3', action: 'https://stage.example/basket', method: 'POST' },
    ...{ enctype: 'application/x-www-form-urlencoded', label: 'Put in basket', ...changes },
    fields: fields.map(([name, type, value]) => ({ name, type, value })),
  };
  const surface = { forms: [form], calls: [], pages: pages.map((url) => ({ url })) };
  return basketRequests(surface as unknown as Surface).at(0);
};
const found = (...fields: Field[]) => requestOf(fields)?.quantities.map(({ parameter }) => parameter);

test('a thing and how many of it are known by their kinds of fields where no name says it', () => {
  assert.equal(found(['show', 'hidden', '3'], ['seats', 'number', '1']), ['seats']);
  assert.equal(found(['show', 'hidden', '3'], ['seats', 'number', '1'], ['row', 'text', '']), ['seats']);
});

test('names count before kinds', () =>
  assert.equal(found(['sku', 'hidden', '3'], ['qty', 'text', '1'], ['discount', 'number', '0']), ['qty']));

test('a token of the page is no thing', () =>
  assert.is(found(['csrf_token', 'hidden', 'a7c1e9d3b5f02846'], ['seats', 'number', '1']), undefined));

test('"Add" beside a thing fills the basket of a site that has one, and nothing elsewhere', () => {
  const add = { action: 'https://stage.example/?p=add', label: 'Add' };
  const isFound = (fields: Field[], pages: string[]) => requestOf(fields, add, pages) !== undefined;
  const [item, shop] = [['item_id', 'hidden', '3'] as Field, ['https://stage.example/?p=cart']];
  assert.equal([isFound([item], shop), isFound([item], [])], [true, false]);
  assert.is(isFound([item, ['note', 'text', '']], shop), false);
  assert.is(isFound([['name', 'text', '']], shop), false);
});

test.run();
