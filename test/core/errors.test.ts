import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { invalid, isReason, Refusal, reasons, toConnectError } from '../../core/errors.ts';
import { assertSaysWhatToDo } from '../support/says-what-to-do.ts';

const test = suite('words of refusals');

for (const reason of Object.keys(reasons).filter(isReason)) {
  test(`${reason} says what happened and what to do, also where a rule has words of its own`, () => {
    assertSaysWhatToDo(new Refusal(reason).message);
    assertSaysWhatToDo(new Refusal(reason, { message: 'It is this one.' }).message);
    const own = new Refusal(reason, { message: 'It is this one.', advice: 'Use another one.' });
    assert.is(own.message, 'It is this one. Use another one.');
    assert.is(toConnectError(own).rawMessage, own.message);
  });
}

test('a wrong field is named in a sentence', () => {
  for (const message of ['use 1 to 32 characters', 'Use a port from 1 to 65535.']) {
    const refusal = invalid('INVALID_PARAMETER', 'port', message);
    assertSaysWhatToDo(refusal.message);
    assert.match(refusal.message, `port: ${message}`);
    assert.equal(refusal.details.fields, [{ field: 'port', message }]);
  }
});

test.run();
