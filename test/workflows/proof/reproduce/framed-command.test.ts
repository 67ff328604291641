import { createServer, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { requestCommand } from '../../../../workflows/proof/reproduce/request-words.ts';
import { runIn } from './shell.ts';

const test = suite('requests that are framed as they say');

test('arrive byte for byte, and the answer is shown', async () => {
  const received: Buffer[] = [];
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      received.push(chunk);
      if (Buffer.concat(received).includes('Q\r\n')) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nferry');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  try {
    const command = requestCommand(
      {
        method: 'GET',
        url: [`http://127.0.0.1:${port}/?a=%20b`],
        headers: [
          ['Transfer-Encoding', ['chunked']],
          ['Content-Length', ['4']],
        ],
        body: ["1\r\n'\r\nQ\r\n"],
      },
      { output: 'show', insecure: false },
    );
    const { stdout } = await runIn('sh', command, {});
    assert.match(String(stdout), /200 OK[\s\S]*ferry/);
    assert.is(
      Buffer.concat(received).toString(),
      `GET /?a=%20b HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n1\r\n'\r\nQ\r\n`,
    );
  } finally {
    server.close();
  }
});

test.run();
