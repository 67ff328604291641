import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { splitMessages } from '../../../../../workflows/probe/browser/relay/messages.ts';
import { createSift, leftOutCommand } from '../../../../../workflows/probe/browser/relay/sift.ts';

const relay = suite('what the browser says');

const bytes = (message: object) => Buffer.from(JSON.stringify(message));
const event = (method: string, params: object, sessionId?: string) =>
  bytes({ method, params, ...(sessionId && { sessionId }) });
const read = (message: Buffer | undefined) => message && JSON.parse(message.toString());
const session = 'A1';
const log = (...texts: string[]) =>
  event('Runtime.consoleAPICalled', { type: 'log', args: texts.map((value) => ({ type: 'string', value })) }, session);

relay('comes message by message, however its stream is cut', () => {
  const stream = Buffer.from('{"id":1}\0{"id":2}\0{"id":3}\0');
  for (let size = 1; size <= stream.length; size++) {
    const seen: string[] = [];
    const take = splitMessages(100, { message: (message) => seen.push(message.toString()), tooLong() {} });
    for (let at = 0; at < stream.length; at += size) take(stream.subarray(at, at + size));
    assert.equal(seen, ['{"id":1}', '{"id":2}', '{"id":3}']);
  }
});

relay('is not held when it is too long: its ends are reported, and the next message is whole', () => {
  const seen: string[] = [];
  const take = splitMessages(1_000, {
    message: (message) => seen.push(message.toString()),
    tooLong: (begin, end) => seen.push(`${begin.toString('latin1', 0, 7)}…${end.toString('latin1', end.length - 4)}`),
  });
  take(Buffer.from('{"id":1,"result":"'));
  for (let piece = 0; piece < 50; piece++) take(Buffer.alloc(1_000, 120));
  take(Buffer.from('END}\0{"id":2}\0'));
  assert.equal(seen, ['{"id":1…END}', '{"id":2}']);
});

relay('is cut where it nests without end', () => {
  const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const message = Buffer.from(`{"method":"Page.frameNavigated","params":{"a":${nested}},"sessionId":"${session}"}`);
  const passedOn = createSift().message(message)?.toString() ?? '';
  assert.match(passedOn, /^\{"method":"Page.frameNavigated","params":\{"a":\[+null\]+\},"sessionId":"A1"\}$/);
  assert.ok(passedOn.length < 1_000);
});

relay('is passed on as it is while it is short', () => {
  const sift = createSift();
  const message = event('Page.frameNavigated', { frame: { id: 'F', url: 'http://shop.localhost/' } }, session);
  assert.is(sift.message(message), message);
  assert.equal(sift.leftOut, {});
});

relay('is cut in texts and lists of the page, and ends after so many of them', () => {
  const sift = createSift();
  const { params } = read(sift.message(log(...Array.from({ length: 1_000 }, () => 'x'))));
  assert.is(params.args.length, 30);
  assert.is(read(sift.message(log('y'.repeat(100_000)))).params.args[0].value.length, 4_096);
  assert.is(sift.message(log('z'.repeat(1_000_000))), undefined);
  for (let index = 0; index < 1_000; index++) sift.message(log('again'));
  assert.is(sift.message(log('again')), undefined);
  assert.is(sift.leftOut['Runtime.consoleAPICalled'], 505);
});

relay('counts for a page, whoever asks, what was left out of what somebody needs', () => {
  const sift = createSift();
  const attach = (child: string, targetId: string) =>
    sift.message(event('Target.attachedToTarget', { sessionId: child, targetInfo: { targetId } }));
  attach(session, 'page');
  attach('OWN', 'page');
  attach('OTHER', 'another');
  const left = (sessionId: string) =>
    read(sift.command(bytes({ id: 9, method: leftOutCommand, sessionId })).answer).result.count;
  const call = event('Runtime.bindingCalled', { name: 'b', payload: '{"name":"sink"}' }, session);
  for (let index = 0; index < 600; index++) sift.message(log('noise'));
  assert.ok(sift.message(call), 'what is logged keeps no call from being heard');
  assert.equal([left(session), left('OWN')], [0, 0]);
  for (let index = 0; index < 509; index++) sift.message(call);
  assert.equal([left(session), left('OWN'), left('OTHER')], [10, 10, 0]);
});

relay('counts for a page what it said itself, although the sessions of all come from one with the browser', () => {
  const sift = createSift();
  const attach = (child: string, type: string, targetId: string, parent?: string) =>
    sift.message(event('Target.attachedToTarget', { sessionId: child, targetInfo: { targetId, type } }, parent));
  attach('ROOT', 'browser', 'chromium');
  attach('FIRST', 'page', 'first', 'ROOT');
  const issue = (from: string) => event('Audits.issueAdded', { issue: {} }, from);
  for (let index = 0; index < 510; index++) sift.message(issue('FIRST'));
  attach('SECOND', 'page', 'second', 'ROOT');
  const left = (sessionId: string) =>
    read(sift.command(bytes({ id: 9, method: leftOutCommand, sessionId })).answer).result.count;
  assert.ok(sift.message(issue('SECOND')), 'the next page is heard');
  assert.equal([left('FIRST'), left('SECOND')], [10, 0]);
});

relay('of a page that never ends is not listened to, its workers’ neither, but answers and its crash are', () => {
  const sift = createSift();
  const attached = (child: string) => event('Target.attachedToTarget', { sessionId: child, targetInfo: {} }, session);
  assert.ok(sift.message(attached('B2')));
  for (let index = 0; index < 10_000; index++) sift.message(event('Page.frameAttached', { frameId: `${index}` }, 'B2'));
  assert.is(sift.message(event('Page.frameAttached', { frameId: 'next' }, session)), undefined);
  assert.is(sift.message(attached('C3')), undefined);
  assert.ok(sift.message(event('Inspector.targetCrashed', {}, session)));
  assert.ok(sift.message(bytes({ id: 7, result: {}, sessionId: session })));
  assert.ok(sift.message(event('Page.frameAttached', { frameId: 'other page' }, 'D4')));
});

relay('that answers with more than was asked for becomes an error, so that nobody waits', () => {
  const sift = createSift();
  const long = 'x'.repeat(2 * 1024 * 1024);
  const answer = (id: number) => bytes({ id, result: { result: { value: long } }, sessionId: session });
  sift.command(bytes({ id: 1, method: 'Runtime.evaluate', sessionId: session }));
  sift.command(bytes({ id: 2, method: 'Runtime.callFunctionOn', sessionId: session }));
  assert.is(read(sift.message(answer(1))).result.result.value.length, long.length);
  const refused = read(sift.message(answer(2)));
  assert.equal([refused.id, refused.sessionId, refused.error.code], [2, session, -32000]);
  const whole = answer(3);
  assert.is(read(sift.tooLong(whole.subarray(0, 256), whole.subarray(-256))).id, 3);
});

relay('in the name of a binding is a call, or is left out', () => {
  const sift = createSift();
  const called = (payload: string) => sift.message(event('Runtime.bindingCalled', { name: 'b', payload }, session));
  assert.ok(called('{"name":"sink","seq":1,"serializedArgs":[]}'));
  for (const payload of ['', 'no call', 'null', '7', '{}']) assert.is(called(payload), undefined, payload);
});

relay.run();
