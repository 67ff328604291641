import { type AddressInfo, createServer, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { crlf } from '../../../../workflows/checks/injection/crlf.check.ts';
import { places, runOn, stored } from '../harness.ts';

const test = suite('injection.crlf');

/** Lines of an answer's head for the path and query of a request; undefined is a page. */
type Head = (target: string) => string[] | undefined;

/** A server that writes its answers by itself: Node's own refuses line ends in headers. */
async function result(head: Head, page = '<a href="/go?to=/orders">go</a>') {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.on('data', (data) => {
      const [, target = '/'] = data.toString('latin1').split(' ');
      const lines = head(target) ?? ['HTTP/1.1 200 OK', 'Content-Type: text/html'];
      const body = head(target) ? '' : page;
      socket.write(Buffer.from([...lines, `Content-Length: ${body.length}`, '', body].join('\r\n'), 'latin1'));
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  try {
    return await runOn(`http://shop.localhost:${(server.address() as AddressInfo).port}`, crlf);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

const given = (target: string) => decodeURIComponent(/^\/go\?to=(.*)/.exec(target)?.[1] ?? '');
const redirectTo = (to: string) => ['HTTP/1.1 302 Found', `Location: ${to}`];

const vulnerable: Record<string, Head> = {
  'a redirect': (target) => (target.startsWith('/go?') ? redirectTo(given(target)) : undefined),
  'a cookie': (target) =>
    target.startsWith('/go?') ? ['HTTP/1.1 200 OK', `Set-Cookie: to=${given(target)}; Path=/`] : undefined,
  'a redirect that decodes twice': (target) =>
    target.startsWith('/go?')
      ? redirectTo(
          decodeURIComponent(
            given(target)
              .replace(/[\r\n]/g, '')
              .replace(/%(?![0-9a-f]{2})/gi, '%25'),
          ),
        )
      : undefined,
  'a redirect whose filter takes line ends out once': (target) =>
    target.startsWith('/go?') ? redirectTo(given(target).replaceAll('\r\n', '')) : undefined,
  'a redirect that keeps one byte of each character': (target) =>
    target.startsWith('/go?') ? redirectTo(given(target).replace(/[\r\n]/g, '')) : undefined,
};

for (const [where, head] of Object.entries(vulnerable)) {
  test(`a line end in ${where} is found`, async () => {
    const found = await result(head);
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET /go to']], found.outcome.reason);
    assert.match(stored(found), /header:x-‹nonce2›/);
  });
}

test('a redirect of every unknown path that repeats it decoded is found', async () => {
  const found = await result(
    (target) => (target === '/' ? undefined : redirectTo(`https://shop.localhost${decodeURIComponent(target)}`)),
    'hello',
  );
  assert.equal([found.outcome.kind, found.findings[0]?.location?.parameterIn], ['found', 'path']);
});

const clean: Record<string, Head> = {
  'a value that is encoded': (target) =>
    target.startsWith('/go?') ? redirectTo(`/x?to=${encodeURIComponent(given(target))}`) : undefined,
  'a value whose line ends become spaces': (target) =>
    target.startsWith('/go?') ? redirectTo(`/${encodeURI(given(target).replace(/[\r\n]+/g, ' '))}`) : undefined,
  'a value that is refused': (target) =>
    target.startsWith('/go?') ? ['HTTP/1.1 400 Bad Request', 'Content-Type: text/plain'] : undefined,
};

for (const [what, head] of Object.entries(clean)) {
  test(`${what} is clean`, async () => {
    const found = await result(head);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

test.run();
