import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { InputSurface } from '../../../../workflows/checks/contract.ts';
import { foundAt, lookAtEach } from '../../../../workflows/checks/support/look-at-each.ts';
import { ProbeError } from '../../../../workflows/probe/types.ts';

const test = suite('looking at each input');

const plenty = { allowance: () => 100 };

const inputs = ['a', 'b', 'c', 'd'].map(
  (parameter): InputSurface => ({
    method: 'GET',
    url: `https://shop.example/?${parameter}=1`,
    route: '/',
    parameter,
    in: 'query',
    sample: '1',
    others: [],
  }),
);

test('what fails comes last and says so when it is to be proven', async () => {
  const candidates = await lookAtEach(plenty, inputs, 10, async (input) => {
    if (input.parameter === 'a') throw new ProbeError('timeout', 'no answer');
    return input.parameter === 'd' ? undefined : { input, detail: `at ${input.parameter}` };
  });
  assert.equal(
    candidates.map(({ location, detail }) => [location.parameter, detail]),
    [
      ['b', 'at b'],
      ['c', 'at c'],
      ['a', undefined],
    ],
  );
  assert.is(foundAt(candidates[0] ?? { location: { url: '' } })?.detail, 'at b');
  assert.throws(() => foundAt(candidates[2] ?? { location: { url: '' } }), /no answer/);
});

test('inputs beyond the limit are told of', async () => {
  const looked: string[] = [];
  const candidates = await lookAtEach(plenty, inputs, 3, async ({ parameter }) => void looked.push(parameter));
  assert.equal(looked, ['a', 'b', 'c']);
  assert.throws(() => foundAt(candidates[0] ?? { location: { url: '' } }), /1 of 4 inputs were left out/);
});

test('when the allowance is used up, the rest is told of', async () => {
  let left = 2;
  const scarce = { allowance: () => left };
  const candidates = await lookAtEach(scarce, inputs, 10, async () => void left--);
  assert.throws(() => foundAt(candidates[0] ?? { location: { url: '' } }), /2 of 4 inputs were left out/);
});

test('paths that the org excluded are passed over', async () => {
  const candidates = await lookAtEach(plenty, inputs, 10, async () => {
    throw new ProbeError('out_of_scope', 'excluded');
  });
  assert.equal(candidates, []);
});

test('a fault of the check, and an end of the scan, end it', async () => {
  for (const error of [new TypeError('fault'), new ProbeError('canceled', 'over')]) {
    const ended = await lookAtEach(plenty, inputs, 10, () => Promise.reject(error)).catch((thrown: unknown) => thrown);
    assert.is(ended, error);
  }
});

test.run();
