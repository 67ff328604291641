import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqlDelaysFor, sqlDelaysStored } from '../../../../workflows/checks/injection/sql-delays.ts';
import type { InputSurface } from '../../../../workflows/model/surface.ts';

const test = suite('delays in statements');

const input: InputSurface = {
  ...{ method: 'GET', url: 'https://shop.example/?id=1', route: '/', parameter: 'id', in: 'query' },
  ...{ sample: '1', others: [] },
};
const counting = [...sqlDelaysFor(input), ...sqlDelaysStored()].flatMap(({ paced }) => paced?.(10).value('3') ?? []);

test('count rows without end in no engine: the limit is one that only SQLite reads', () => {
  const recursive = counting.filter((value) => value.includes('RECURSIVE'));
  assert.is(recursive.length, 2);
  for (const value of recursive)
    assert.equal([...value.matchAll(/LIMIT [^()]*(\([^()]*\))/g)].length, value.split('RECURSIVE').length - 1);
  const ranges = counting.filter((value) => !value.includes('RECURSIVE'));
  assert.ok(
    ranges.every(
      (value) => value.split('SYSTEM_RANGE').length - 1 === value.split(/SYSTEM_RANGE\(1,\d+\*3\)/).length - 1,
    ),
  );
});

test('are statements of SQLite', () => {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE lamps (id INTEGER); INSERT INTO lamps VALUES (1)');
  const [value] = counting;
  assert.is(database.prepare(`SELECT id FROM lamps WHERE id = ${value}`).all().length, 1);
  database.close();
});

test.run();
