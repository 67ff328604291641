import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { claim, type Operator, operators } from '../../../workflows/model/experiment.ts';
import { decisivePart, holds } from '../../../workflows/proof/assertions.ts';

const now = new Date('2026-06-15T12:00:00Z');

/** Operator, value, expected, whether it holds. */
const table: [Operator, string, string, boolean][] = [
  ['equals', 'a', 'a', true],
  ['equals', 'a', 'A', false],
  ['equals', '', '', true],
  ['not-equals', 'a', 'b', true],
  ['not-equals', 'a', 'a', false],
  ['contains', 'one two', 'two', true],
  ['contains', 'one two', 'Two', false],
  ['not-contains', 'one two', 'three', true],
  ['not-contains', 'one two', 'two', false],
  ['matches', 'HTTP/1.1', '^HTTP/[12]', true],
  ['matches', 'a\nb', '^b$', false],
  ['matches', 'a\nb', '(?m)^b$', true],
  ['matches', 'x HTTP', '^HTTP', false],
  ['not-matches', 'lax', '(?i)strict', true],
  ['not-matches', 'Strict', '(?i)strict', false],
  ['present', '', '', true],
  ['absent', '', '', false],
  ['before', '2026-06-15T11:59:59Z', 'now', true],
  ['before', '2026-06-15T12:00:00Z', 'now', false],
  ['before', '2026-06-15T13:00:00+02:00', '2026-06-15T12:00:00Z', true],
  ['before', 'yesterday', 'now', false],
  ['after', '2026-06-15T12:00:01.5Z', 'now', true],
  ['after', '2026-06-15T11:00:00Z', 'now', false],
  ['after', '1781524800000', 'now', false],
  ['less-than', '301', '302', true],
  ['less-than', '302', '302', false],
  ['less-than', '9', '10', true],
  ['less-than', '', '10', false],
  ['less-than', '0x1', '10', false],
  ['greater-than', '-1', '-2', true],
  ['greater-than', '2.5', '2.25', true],
  ['greater-than', 'many', '2', false],
  ['one-of', '302', '301|302|303', true],
  ['one-of', '30', '301|302', false],
  ['one-of', '301|302', '301|302', false],
];

const test = suite('operators of claims');

for (const [operator, value, expected, outcome] of table) {
  test(`${JSON.stringify(value)} ${operator} ${JSON.stringify(expected)} is ${outcome}`, () => {
    assert.is(holds(claim('body', operator, expected), value, now), outcome);
  });
}

test('every operator is in the table', () => {
  assert.equal(new Set(table.map(([operator]) => operator)), new Set(operators));
});

test('what is not there satisfies "absent" alone', () => {
  const satisfied = operators.filter((operator) => holds(claim('body', operator, 'now'), undefined, now));
  assert.equal(satisfied, ['absent']);
});

test('an expectation that the operator cannot take is the mistake of the check', () => {
  assert.throws(() => holds(claim('body', 'before', 'tomorrow'), '2026-06-15T11:00:00Z', now), /RFC 3339/);
  assert.throws(() => holds(claim('status', 'less-than', 'five'), '200', now), /not a number/);
  assert.throws(() => holds(claim('body', 'matches', '('), 'x', now));
});

test('a pattern takes time that grows with its input and no faster', () => {
  const startMs = performance.now();
  holds(claim('body', 'matches', '^(a+)+$'), `${'a'.repeat(200_000)}!`, now);
  holds(claim('body', 'matches', 'a.*b.*c.*d'), 'a'.repeat(200_000), now);
  assert.ok(performance.now() - startMs < 2_000);
});

test('the part that decides is what a claim was about', () => {
  assert.is(decisivePart(claim('body', 'matches', 'b+'), 'abbbc'), 'bbb');
  assert.is(decisivePart(claim('body', 'contains', 'bb'), 'abbbc'), 'bb');
  assert.is(decisivePart(claim('status', 'equals', '200'), '200'), '200');
  assert.is(decisivePart(claim('body', 'not-contains', 'x'), 'abc'), undefined);
});

test.run();
