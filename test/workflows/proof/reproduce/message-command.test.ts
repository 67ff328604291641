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
    `printf '%s\\n' '{"text":"it'\\''s"}' | websocat -1 -H 'Origin: http://shop.example' ws://shop.example/live`,
  );
});

test.run();
