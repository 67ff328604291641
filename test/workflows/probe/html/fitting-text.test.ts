import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fittingText } from '../../../../workflows/probe/html/fitting-text.ts';

const test = suite('texts that fields take');

test('a text that a pattern takes stays, and another one gives way to one that it takes', () => {
  const postcode = { type: 'text', pattern: '[0-9]{5}' };
  assert.is(fittingText(postcode, '04109'), '04109');
  assert.is(fittingText(postcode, 'word'), '11111');
  assert.is(fittingText({ type: 'text', pattern: '[A-Z]{2}-\\d{3,}' }, 'word'), 'AA-111');
  assert.is(fittingText({ type: 'text', pattern: '[a-z0-9]+' }, 'word7'), 'word7');
  assert.is(
    fittingText({ type: 'text', pattern: '(?:a|b)+' }, 'word'),
    'word',
    'what is not read is no reason to send another text',
  );
});

test('a number is within the limits, and a text as long as it has to be', () => {
  const stars = { type: 'number', min: '1', max: '5' };
  assert.equal(
    ['0', '3', '69656'].map((number) => fittingText(stars, number)),
    ['1', '3', '5'],
  );
  assert.is(fittingText({ type: 'number' }, '69656'), '69656');
  assert.is(fittingText({ type: 'text', minLength: 4 }, 'a'), 'aaaa');
  assert.is(fittingText({ type: 'text', minLength: 4 }, ''), '');
});

test.run();
