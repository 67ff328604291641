import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formRows } from '../../../../workflows/checks/inputs/form-rows.ts';
import type { InputSurface } from '../../../../workflows/model/surface.ts';

const test = suite('fields of the rows of a form');

const fieldOf = (parameter: string, path = '/notes'): InputSurface => ({
  ...{ method: 'POST', url: `https://x.example${path}`, route: path, parameter, in: 'body', sample: '', others: [] },
});

const named = (...fields: InputSurface[]): (string | undefined)[] => {
  const names = formRows(fields);
  return fields.map((field) => names.get(field));
};

test('have one name for each of its columns', () => {
  const rows = [1, 2, 3].flatMap((row) => [fieldOf(`files[${row}][title]`), fieldOf(`files[${row}][token]`)]);
  const [title, token] = ['title', 'token'].map((column) => `POST https://x.example/notes body files[][${column}]`);
  assert.equal(named(...rows), [title, token, title, token, title, token]);
});

test('have none where there are two rows, or a key is a word, or the forms are others', () => {
  assert.equal(named(fieldOf('a[1]'), fieldOf('a[2]')), [undefined, undefined]);
  assert.equal(named(...['x', 'y', 'z'].map((key) => fieldOf(`a[${key}]`))), [undefined, undefined, undefined]);
  assert.equal(named(fieldOf('a[1]'), fieldOf('a[2]'), fieldOf('a[3]', '/tags')), [undefined, undefined, undefined]);
});

test.run();
