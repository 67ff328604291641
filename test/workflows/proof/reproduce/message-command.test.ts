import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { requestCommand } from '../../../../workflows/proof/reproduce/request-words.ts';

const test = suite('commands for messages over a WebSocket');

test('a body that goes to a WebSocket is one message of a client for those, with the headers of its handshake', () => {
  const command = requestCommand(
    {
      method: 'POST',
      url: ['ws://shop.example/live'],
      headers: [
        ['content-type', ['application/json']],
        ['Origin', ['http://shop.example']],
      ],
      body: [`{"text":"it's"}`],
    },
    { output: 'show', insecure: false },
  );
  assert.is(
    command,
    `(printf '%s\\n' '{"text":"it'\\''s"}'; sleep 6) | websocat -H 'Origin: http://shop.example' ws://shop.example/live`,
  );
});

test('what goes before it goes before it over the same connection, in the protocol that the page asks for', () => {
  const command = requestCommand(
    {
      method: 'POST',
      url: ['wss://shop.example/live'],
      headers: [
        ['content-type', ['application/json']],
        ['Sec-WebSocket-Protocol', ['stock.v2']],
      ],
      body: ['{"type":"hello"}\u241e{"type":"search","text":"', { variable: 'WORD' }, '"}'],
    },
    { output: 'show', insecure: true },
  );
  assert.is(
    command,
    `(printf '%s\\n' '{"type":"hello"}' '{"type":"search","text":"'"\${WORD:?}"'"}'; sleep 6) | websocat -k --protocol stock.v2 wss://shop.example/live`,
  );
});

test.run();
