import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { invalid, Refusal, toConnectError } from '../../core/errors.ts';
import { isReason, ruleOf } from '../../kit/reasons.ts';
import { Reason, RpcStatus } from '../../proto/gen/scanaudit/v1/reasons_pb.ts';
import { assertSaysWhatToDo } from '../support/says-what-to-do.ts';

const test = suite('words of refusals');

const ofCore = Object.keys(Reason)
  .filter(isReason)
  .filter((reason) => ruleOf(reason).code !== RpcStatus.UNSPECIFIED);

for (const reason of ofCore) {
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

test('every reason has a status of HTTP and a title, and those that core refuses for words of their own', () => {
  for (const reason of Object.keys(Reason).filter(isReason)) {
    const { code, status, title, happened, advice } = ruleOf(reason);
    assert.ok(status >= 400 && status < 600, reason);
    assert.ok(/^[A-Z].*[^.]$/.test(title), reason);
    assert.is(happened !== '' && advice !== '', code !== RpcStatus.UNSPECIFIED, reason);
  }
});

test('a reason of the gateway alone is no answer of core', () => {
  assert.throws(() => toConnectError(new Refusal('METHOD_NOT_ALLOWED')), /METHOD_NOT_ALLOWED has no status of gRPC/);
});

test.run();
