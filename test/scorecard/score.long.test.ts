import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Row } from './card.ts';
import { score } from './score.ts';

const test = suite<{ rows: Row[] }>('score', { rows: [] });

const planted = {
  checks: new URL('./planted/worker/', import.meta.url),
  cases: new URL('./planted/cases/', import.meta.url),
  filters: [],
  timeoutMs: 8_000,
  width: 2,
};

test.before(async (context) => {
  context.rows = await score(planted);
});

const rowOf = (rows: Row[], check: string): Row => {
  const row = rows.find((each) => each.check === check);
  assert.ok(row, check);
  return row;
};
const countsOf = (row: Row) => [row.cases, row.found, row.false];

test('rows come in the order of the registry', ({ rows }) => {
  assert.equal(
    rows.map(({ family, check }) => `${family} ${check}`),
    ['crashing', 'false-alarm', 'hanging', 'missed', 'sound', 'uncased'].map((check) => `planted ${check}`),
  );
});

test('a check that finds what is there, and nothing else, is credited with each case', ({ rows }) => {
  const row = rowOf(rows, 'sound');
  assert.equal([countsOf(row), row.faults], [[3, 3, 0], []]);
  assert.ok(row.requests > 0 && row.seconds > 0);
});

test('a weakness that is not reported is missed', ({ rows }) => {
  const row = rowOf(rows, 'missed');
  assert.equal(countsOf(row), [3, 0, 0]);
  assert.is(row.faults[0], 'missed on "first": clean');
});

test('a report on a mended site is false, and says where', ({ rows }) => {
  const row = rowOf(rows, 'false-alarm');
  assert.equal(countsOf(row), [3, 3, 3]);
  assert.is(row.faults[0], 'false on "first": found, GET /');
});

test('a case that hangs fails alone: the others of its check are run in a new process', ({ rows }) => {
  const row = rowOf(rows, 'hanging');
  assert.equal([countsOf(row), row.faults], [[3, 2, 0], ['missed on "second": error, did not end within 8 s']]);
});

test('a case that ends its process fails alone', ({ rows }) => {
  const row = rowOf(rows, 'crashing');
  assert.equal([countsOf(row), row.faults], [[3, 2, 0], ['missed on "second": error, its process ended (7)']]);
});

test('a check that nobody wrote cases for has none', ({ rows }) => {
  const row = rowOf(rows, 'uncased');
  assert.equal([countsOf(row), row.faults], [[0, 0, 0], []]);
});

test('only checks that were asked for have a row', async () => {
  const filters = ['standard/planted.unc', 'elsewhere.'];
  assert.equal(
    (await score({ ...planted, filters })).map(({ check }) => check),
    ['uncased'],
  );
});

test.run();
