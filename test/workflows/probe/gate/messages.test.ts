import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bodyOfMessages } from '../../../../workflows/model/socket-messages.ts';
import { asksByName, decideMessage } from '../../../../workflows/probe/gate/messages.ts';
import type { Circumstances } from '../../../../workflows/probe/gate/refusal.ts';

const test = suite('messages over a WebSocket');

const circumstances = (writes: 'create' | 'reversible', visitor: Circumstances['visitor'] = 'nobody') =>
  ({ depth: 'deep', writes, visitor }) as Circumstances;

const codeOf = (message: unknown, of: Circumstances, before: readonly string[] = []): string => {
  const text = typeof message === 'string' ? message : JSON.stringify(message);
  const decision = decideMessage(bodyOfMessages([...before, text]), of);
  return decision === undefined ? 'as a request' : decision.allowed ? 'allowed' : decision.code;
};

const rows: [message: unknown, usually: string, onTestSystem: string][] = [
  [{ type: 'search', text: 'desk' }, 'allowed', 'allowed'],
  [{ action: 'getHistory', room: 1 }, 'allowed', 'allowed'],
  [['list', { page: 1 }], 'allowed', 'allowed'],
  [{ type: 'chat', text: 'hello' }, 'websocket', 'as a request'],
  [{ text: 'hello' }, 'websocket', 'as a request'],
  [{ type: 'GET_HISTORY', room: 1 }, 'allowed', 'allowed'],
  [{ type: 'parts.find', text: 'a' }, 'allowed', 'allowed'],
  [{ type: 'set_status', status: 'away' }, 'would-act', 'would-act'],
  [{ q: 'desk', page: 2 }, 'allowed', 'allowed'],
  [{ query: 'mutation { addDesk }' }, 'websocket', 'as a request'],
  ['lookup desk', 'allowed', 'allowed'],
  ['FIND:desk', 'allowed', 'allowed'],
  ['desk', 'websocket', 'as a request'],
  ['delete 5', 'would-act', 'would-act'],
  ['', 'allowed', 'allowed'],
  [{ type: 'delete', id: 3 }, 'would-act', 'would-act'],
  [{ data: { action: 'payOrder' } }, 'would-act', 'would-act'],
  [{ type: 'search', further: { op: 'deleteAll' } }, 'would-act', 'would-act'],
];
for (const [message, usually, onTestSystem] of rows)
  test(`${JSON.stringify(message)} is ${usually}, and on a test system ${onTestSystem}`, () => {
    assert.is(codeOf(message, circumstances('reversible')), usually);
    assert.is(codeOf(message, circumstances('create')), onTestSystem);
    assert.is(codeOf(message, circumstances('create', 'admin')), usually);
  });

const openings: [before: string, usually: string, onTestSystem: string][] = [
  ['{"type":"hello","client":"web"}', 'allowed', 'allowed'],
  ['{"type":"connection_init","payload":{}}', 'allowed', 'allowed'],
  ['{"token":"a1"}', 'allowed', 'allowed'],
  ['AUTH a1', 'allowed', 'allowed'],
  ['{"type":"join","room":"lobby"}', 'websocket', 'allowed'],
  ['{"type":"subscribe","mail":"a@b.example"}', 'websocket', 'websocket'],
  ['{"type":"chat","text":"hello"}', 'websocket', 'websocket'],
  ['{"type":"hello","then":{"action":"delete"}}', 'websocket', 'websocket'],
];
for (const [before, usually, onTestSystem] of openings)
  test(`a search behind ${before} is ${usually}, and on a test system ${onTestSystem}`, () => {
    const search = { type: 'search', text: 'desk' };
    assert.is(codeOf(search, circumstances('reversible'), [before]), usually);
    assert.is(codeOf(search, circumstances('create'), [before]), onTestSystem);
  });

test('a procedure of JSON whose name asks is a query, and one that acts, sends or has another command beside it is none', () => {
  const asks = (body: unknown) => asksByName(JSON.stringify(body));
  const asking = [{ method: 'parts.find', params: { text: 'a' } }, { action: 'getOrder', id: 3 }, { op: 'users/list' }];
  const others = [
    ...[
      { method: 'parts.add' },
      { method: 'user.login' },
      { action: 'getAndDelete' },
      { op: 'get_or_create' },
      { op: 'delete.list' },
    ],
    ...[{ action: 'list', command: 'deleteAll' }, { type: 'search' }, { text: 'find' }, [{ method: 'parts.find' }]],
  ];
  assert.equal(
    asking.map(asks),
    asking.map(() => true),
  );
  assert.equal(
    others.map(asks),
    others.map(() => false),
  );
});

test.run();
