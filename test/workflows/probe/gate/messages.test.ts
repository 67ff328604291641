import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { asksByName, decideMessage } from '../../../../workflows/probe/gate/messages.ts';
import type { Circumstances } from '../../../../workflows/probe/gate/refusal.ts';

const test = suite('messages over a WebSocket');

const circumstances = (writes: 'create' | 'reversible', visitor: Circumstances['visitor'] = 'nobody') =>
  ({ depth: 'deep', writes, visitor }) as Circumstances;

const codeOf = (message: unknown, of: Circumstances): string => {
  const decision = decideMessage(JSON.stringify(message), of);
  return decision === undefined ? 'as a request' : decision.allowed ? 'allowed' : decision.code;
};

const rows: [message: unknown, usually: string, onTestSystem: string][] = [
  [{ type: 'search', text: 'desk' }, 'allowed', 'allowed'],
  [{ action: 'getHistory', room: 1 }, 'allowed', 'allowed'],
  [['list', { page: 1 }], 'allowed', 'allowed'],
  [{ type: 'chat', text: 'hello' }, 'websocket', 'as a request'],
  [{ text: 'hello' }, 'websocket', 'as a request'],
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
