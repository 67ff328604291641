import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fittedLine } from '../../../workflows/proof/fitted-line.ts';

const test = suite('line of delays');

test('answers that come as much later as they were asked to lie on a line of slope one', () => {
  assert.equal(fittedLine('0=10,2=2010,1=1010,0=10'), { slope: 1, noiseMs: 0 });
});

test('answers that wait twice lie on a line of slope two', () => {
  assert.is(fittedLine('0=10,2=4010,1=2010')?.slope, 2);
});

test('the noise is what the farthest point misses the line by', () => {
  const { slope = 0, noiseMs = 0 } = fittedLine('0=10,0=810,1=1010,2=2010') ?? {};
  assert.ok(slope > 0.6 && slope < 1, String(slope));
  assert.ok(noiseMs > 300 && noiseMs < 800, String(noiseMs));
});

test('one delay, or what is no list of points, has no line', () => {
  for (const text of ['0=10,0=20', '', '1', '1=a,2=3', '‹delay1›=‹elapsed1›']) assert.is(fittedLine(text), undefined);
});

test.run();
