import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type RequestOptions,
  type RequestText,
  requestCommand,
} from '../../../../workflows/proof/reproduce/request-words.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { certificateFor } from '../../probe/support.ts';
import { runIn } from './shell.ts';

type Received = { method: string; url: string; headers: NodeJS.Dict<string | string[]>; body: Buffer };

const plain: RequestOptions = { output: 'show', insecure: false };
const form = ['Content-Type', ['application/x-www-form-urlencoded']] as const;
const secret = { variable: 'X' };

const test = suite<{ server: Server; base: string; received: Received[] }>('requests as commands');
test.before(async (context) => {
  context.received = [];
  context.server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      context.received.push({ method, url, headers, body: Buffer.concat(chunks) });
      response.writeHead(url.startsWith('/refused') ? 403 : 200).end('answer');
    });
  });
  await new Promise<void>((resolve) => context.server.listen(0, '127.0.0.1', resolve));
  context.base = `http://127.0.0.1:${(context.server.address() as AddressInfo).port}`;
});
test.before.each(({ received }) => void received.splice(0));
test.after(({ server }) => new Promise<void>((resolve) => server.close(() => resolve())));

const request = (url: string, more: Partial<RequestText> = {}): RequestText => ({
  method: 'GET',
  url: [url],
  headers: [],
  ...more,
});

const send = (what: RequestText, options: Partial<RequestOptions> = {}, variables: Record<string, string> = {}) =>
  runIn('sh', requestCommand(what, { ...plain, ...options }), variables);

for (const text of [
  "it's",
  `$HOME $(id) \`id\``,
  '@file',
  '%s \\n %%',
  'grüezi 🎉',
  '\u0001\u007f',
  'line\nline\t',
  '',
]) {
  test(`a body and a header of ${JSON.stringify(text)} arrive as they are`, async ({ base, received }) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: no header may hold them
    const value = text.replace(/[\u0000-\u001f\u007f]/g, '');
    await send(
      request(`${base}/x`, { method: 'PUT', headers: [['X-Test', value === '' ? [] : [value]]], body: [text] }),
    );
    assert.is(received[0]?.method, 'PUT');
    assert.is(received[0]?.body.toString(), text);
    assert.is(Buffer.from(String(received[0]?.headers['x-test'] ?? ''), 'latin1').toString(), value);
    assert.is(received[0]?.headers['content-type'], undefined);
  });
}

const urls = [
  '/a/../b',
  '/a/./b/',
  '/a/..',
  '/{a}[1-3]?x[]=1&y={z}',
  "/q?x=%3Csvg%2Fonload%3Dalert('1')%3E&y=$(id)",
  '/a;b=c',
  '/%2e%2e/x',
];
for (const url of urls) {
  test(`the path ${url} arrives as it is`, async ({ base, received }) => {
    await send(request(base + url));
    assert.equal(
      received.map((each) => each.url),
      [url],
    );
  });
}

test('HEAD and other methods are asked for by name', async ({ base, received }) => {
  const methods = ['HEAD', 'GET', 'POST', 'OPTIONS', 'TRACE'];
  for (const method of methods) await send(request(base, { method }));
  assert.equal(
    received.map((each) => each.method),
    methods,
  );
});

test('an empty header is sent empty', async ({ base, received }) => {
  await send(request(base, { headers: [['X-Empty', []]] }));
  assert.is(received[0]?.headers['x-empty'], '');
});

const X = `a&b=c+d "q" %41 ü\\`;

test('fields of a form are encoded where only the shell knows them, and stay as they are elsewhere', async ({
  base,
  received,
}) => {
  const body = ['a=1&b=%20+&', 'c%5B%5D=', { ...secret, as: 'encoded' as const }, '&d=&e=x', secret, 'y'];
  await send(request(base, { method: 'POST', headers: [form], body }), {}, { X: 'S' });
  assert.is(received[0]?.body.toString(), 'a=1&b=%20+&c%5B%5D=S&d=&e=xSy');
  assert.is(received[0]?.headers['content-type'], form[1][0]);
  await send(request(base, { method: 'POST', headers: [form], body }), {}, { X });
  assert.is(new URLSearchParams(received[1]?.body.toString()).get('c[]'), X);
});

test('what is in an address is encoded as well', async ({ base, received }) => {
  const url = [`${base}/find?a=1&b=`, { ...secret, as: 'encoded' as const }, '&c=%2F'];
  await send({ method: 'GET', url, headers: [] }, {}, { X });
  const { searchParams } = new URL(received[0]?.url ?? '', base);
  assert.equal(
    [...searchParams],
    [
      ['a', '1'],
      ['b', X],
      ['c', '/'],
    ],
  );
  assert.is(received[0]?.method, 'GET');
});

test('other bodies hold values as they are', async ({ base, received }) => {
  const json = ['Content-Type', ['application/json']] as const;
  const body = ['{"x":"', { ...secret, as: 'json' as const }, '"}'];
  await send(request(base, { method: 'PATCH', headers: [json], body }), {}, { X });
  assert.equal(JSON.parse(received[0]?.body.toString() ?? ''), { x: X });
});

test('a form of several parts has each of its fields', async ({ base, received }) => {
  await send(
    request(base, {
      method: 'POST',
      parts: [
        ['a', ['@x;type=y']],
        ['b', [secret]],
      ],
    }),
    {},
    { X },
  );
  const text = received[0]?.body.toString() ?? '';
  assert.match(text, 'name="a"\r\n\r\n@x;type=y\r\n');
  assert.match(text, `name="b"\r\n\r\n${X}\r\n`);
});

test('an error answer is shown, but nothing is read from it and nothing goes on after it', async ({ base }) => {
  const refused = request(`${base}/refused`);
  assert.match((await send(refused)).stdout, /^HTTP\/1\.1 403.*answer$/s);
  for (const output of ['body', 'drop', 'head'] as const) {
    const { stdout, stderr, code } = await send(refused, { output });
    assert.is(code, 22, output);
    assert.match(stderr, '403');
    assert.not.match(stdout, /answer/);
  }
  const head = await send(request(base), { output: 'head' });
  assert.match(head.stdout, /^HTTP\/1\.1 200/);
  assert.not.match(head.stdout, /answer/);
});

test('an untrusted certificate does not stop the command where that is known', async () => {
  const site = await startSite(() => html('hello'), { tls: await certificateFor('shop.localhost') });
  try {
    assert.match((await send(request(`${site.url}/`), { insecure: true })).stdout, /hello/);
    assert.is.not((await send(request(`${site.url}/`))).code, 0);
  } finally {
    await site.close();
  }
});

test.run();
