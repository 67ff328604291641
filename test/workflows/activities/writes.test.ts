import { create } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { WriteSchema, WriteState } from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import { lastingEntry, pendingRecord, undoneRecord } from '../../../workflows/activities/writes.ts';
import { claim } from '../../../workflows/model/experiment.ts';
import { lastingRecord, type PlannedWrite } from '../../../workflows/proof/planned-write.ts';

const test = suite('the record of a write');

const url = 'https://shop.example/account';
const write: PlannedWrite = {
  description: 'The street is changed.',
  identity: 'a',
  request: { method: 'POST', url, body: 'street=k3v9' },
  undo: {
    method: 'POST',
    url,
    headers: [['Origin', 'https://shop.example']],
    body: 'street=14%20Harbour%20Lane&csrf=‹encode:token1›',
    fresh: { url, capture: [{ name: 'token1', subject: 'body:form:/account csrf', pattern: '(.+)', secret: true }] },
  },
  verify: { url, identity: 'b', expect: [claim('body:form:/account street', 'equals', '14 Harbour Lane')] },
};

test('what stays is recorded with its place, and without secrets', () => {
  const request = { method: 'POST', url, body: 'text=k3v9&csrf=0a1b2c3d4e5f' };
  const lasting = { description: 'A text is stored.', place: 'https://shop.example/wall' };
  const recorded = lastingRecord({ ...request, lasting }, 'a', ['0a1b2c3d4e5f']);
  const entry = create(WriteSchema, lastingEntry('injection.stored-xss', recorded));
  assert.equal(
    [entry.state, entry.place, entry.identity, entry.undo],
    [WriteState.LEFT, lasting.place, 'a', undefined],
  );
  assert.match(entry.request?.body ?? '', /^text=k3v9&csrf=(?!0a1b)/);
});

test('before it is sent it has what takes it back and shows that it is gone', () => {
  const { id, state, identity, undo, verify, fresh } = create(WriteSchema, pendingRecord('auth.csrf', write));
  assert.match(id, /^[0-9a-f]{32}$/);
  assert.equal([state, identity, verify?.identity], [WriteState.PENDING, 'a', 'b']);
  assert.equal([undo?.method, undo?.headers.length], ['POST', 1]);
  assert.match(undo?.body ?? '', /^street=14%20Harbour%20Lane&csrf=‹encode:token1›$/);
  assert.is(verify?.assertions[0]?.expected, '14 Harbour Lane');
  assert.equal([fresh?.url, fresh?.captures[0]?.name, fresh?.captures[0]?.secret], [url, 'token1', true]);
});

test('the same write of the same action is one entry, however often it is tried; another is another', () => {
  const idOf = (action: string, changes: Partial<PlannedWrite> = {}) =>
    pendingRecord(action, { ...write, ...changes }).id;
  assert.is(idOf('auth.csrf'), idOf('auth.csrf'));
  assert.is(new Set([idOf('auth.csrf'), idOf('x.y'), idOf('auth.csrf', { identity: 'b' })]).size, 3);
});

test('once it is gone, what was there before is no longer kept', () => {
  const record = create(WriteSchema, undoneRecord(pendingRecord('auth.csrf', write)));
  assert.is(record.state, WriteState.UNDONE);
  assert.equal([record.undo?.method, record.undo?.url, record.verify?.url], ['POST', url, url]);
  assert.equal(
    record.verify?.assertions.map(({ subject, operator }) => [subject, operator]),
    [['body:form:/account street', 'equals']],
  );
  const text = JSON.stringify(record, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  assert.not.match(text, /Harbour/);
});

test.run();
