import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cardText, meetsTheBar, type Row } from './card.ts';

const test = suite('score card');

const row = (given: Partial<Row> = {}): Row => ({
  family: 'headers',
  check: 'hsts-missing',
  cases: 3,
  found: 3,
  false: 0,
  requests: 40,
  seconds: 1.25,
  faults: [],
  ...given,
});

test('the bar is met when all are found, none is false and none is missing', () => {
  assert.is(meetsTheBar([row(), row({ cases: 4, found: 4 })]), true);
});

for (const [what, given] of Object.entries({
  'one is missed': { found: 2 },
  'one is false': { false: 1 },
  'a check has two cases': { cases: 2, found: 2 },
  'a check has no cases': { cases: 0, found: 0 },
} satisfies Record<string, Partial<Row>>)) {
  test(`the bar is not met when ${what}`, () => assert.is(meetsTheBar([row(), row(given)]), false));
}

test('the bar is not met when nothing was looked at', () => assert.is(meetsTheBar([]), false));

test('the last line has the sums', () => {
  const rows = [row(), row({ family: 'deep/access', found: 2, false: 1, requests: 60 })];
  assert.is(cardText(rows, 12.4).split('\n').at(-1), 'found 5 of 6, false 1 of 6, 100 requests, 12 s');
});

test('rows stand below their family, with what was wrong below them', () => {
  const text = cardText([row(), row({ family: 'dns', check: 'caa', found: 2, faults: ['missed on "x": clean'] })], 1);
  assert.equal(text.split('\n').slice(0, 5), [
    'headers',
    '  ✓ hsts-missing  found 3/3  false 0/3     40 requests     1.3 s',
    '',
    'dns',
    '  ✘ caa           found 2/3  false 0/3     40 requests     1.3 s',
  ]);
  assert.is(text.split('\n')[5], '      missed on "x": clean');
});

test('checks without enough cases are counted', () => {
  const text = cardText([row(), row({ cases: 1, found: 1 })], 1);
  assert.match(text, 'missing: 1 of 3 cases');
  assert.match(text, '1 of 2 checks have fewer than 3 cases.');
});

test.run();
