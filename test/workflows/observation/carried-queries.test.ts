import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FormSurface } from '../../../workflows/model/surface.ts';
import { createCarriedQueries } from '../../../workflows/observation/carried-queries.ts';

const origin = 'http://yard.example';
type Shown = { path?: string; method?: 'GET' | 'POST'; carried: Record<string, string>; field?: string };
const formOf = ({ path = '/tasks.csv', method = 'GET', carried, field = 'encoding' }: Shown): FormSurface => ({
  ...{ pageUrl: `${origin}/tasks`, action: `${origin}${path}`, method, enctype: '' },
  fields: [
    ...Object.entries(carried).map(([name, value]) => ({ name, type: 'hidden', value })),
    { name: field, type: 'select', value: 'utf-8' },
  ],
});
/** Which of the forms are one more of those before. */
const more = (shown: readonly Shown[]): number[] => {
  const carried = createCarriedQueries();
  return shown.flatMap((each, index) => (carried.isOneMore(formOf(each)) ? [index] : []));
};
const filters = ['state', 'author', 'group', 'due', 'sort'].map((name) => ({ carried: { [`f[${name}]`]: '3' } }));

const test = suite('forms that carry the query of their page');

test('are tried three times, whatever their hidden names', () => {
  assert.equal(more(filters), [3, 4]);
});

test('are others where they go elsewhere, ask for something else or say another command', () => {
  assert.equal(more(filters.map((each, index) => ({ ...each, path: `/list-${'abcde'[index]}` }))), []);
  assert.equal(more(filters.map((each, index) => ({ ...each, field: `of-${'abcde'[index]}` }))), []);
  const commands = ['export', 'print', 'compare', 'count', 'draw'];
  assert.equal(more(commands.map((action) => ({ carried: { action } }))), []);
});

test('are each tried where they are posted, or carry nothing', () => {
  assert.equal(more(filters.map((each) => ({ ...each, method: 'POST' as const }))), []);
  assert.equal(more(filters.map(() => ({ carried: {} }))), []);
});

test.run();
