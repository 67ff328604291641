import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TlsRequest } from '../../../workflows/probe/types.ts';
import { type CommandOptions, commandFor } from '../../../workflows/proof/curl.ts';
import type { Action } from '../../../workflows/proof/experiment.ts';
import { shellWord } from '../../../workflows/proof/shell.ts';
import { html, startSite } from '../../fixtures/site.ts';
import { certificateFor } from '../probe/support.ts';

const run = promisify(execFile);
const plain: CommandOptions = { insecure: false };

type Received = { method: string; url: string; headers: NodeJS.Dict<string | string[]>; body: Buffer };

const test = suite<{ server: Server; base: string; received: Received[] }>('commands for a shell');
test.before(async (context) => {
  context.received = [];
  context.server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      context.received.push({ method, url, headers, body: Buffer.concat(chunks) });
      response.end('answer');
    });
  });
  await new Promise<void>((resolve) => context.server.listen(0, '127.0.0.1', resolve));
  context.base = `http://127.0.0.1:${(context.server.address() as AddressInfo).port}`;
});
test.before.each(({ received }) => void received.splice(0));
test.after(({ server }) => new Promise<void>((resolve) => server.close(() => resolve())));

/** Runs a command in a shell that is not this one's, as a reader would. */
const shell = (command: string, env: Record<string, string> = {}) =>
  run('/bin/sh', ['-c', command], { env: { PATH: process.env.PATH ?? '', ...env } });

const hostile = [
  "it's",
  '"double"',
  `$HOME $(id) \`id\` $\{x}`,
  '; rm -rf / #',
  'a\\b\\',
  '!history *glob? [a-z] {b,c} ~',
  '%s %d %%',
  '-o/tmp/x',
  'grüezi 日本 🎉',
  '\u0001\u007f',
  'line\nline\ttab',
  '@file',
  '',
];

for (const text of hostile) {
  test(`the shell gives ${JSON.stringify(text)} back as it is`, async () => {
    const { stdout } = await shell(`printf %s ${shellWord(text)}`);
    assert.is(stdout, text);
    assert.not.match(shellWord(text), /\n/);
  });

  test(`a body and a header of ${JSON.stringify(text)} arrive as they are`, async ({ base, received }) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: no header may hold them
    const value = text.replace(/[\u0000-\u001f\u007f]/g, '');
    const action: Action = { http: { method: 'PUT', url: `${base}/x`, headers: [['X-Test', value]], body: text } };
    await shell(commandFor(action, plain));
    assert.is(received[0]?.method, 'PUT');
    assert.is(received[0]?.body.toString(), text);
    assert.is(Buffer.from(String(received[0]?.headers['x-test'] ?? ''), 'latin1').toString(), value.trim());
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
    await shell(commandFor({ http: { url: base + url } }, plain));
    assert.equal(
      received.map((each) => each.url),
      [url],
    );
  });
}

test('HEAD and other methods are asked for by name', async ({ base, received }) => {
  for (const method of ['HEAD', 'GET', 'POST', 'OPTIONS', 'TRACE'])
    await shell(commandFor({ http: { method, url: base } }, plain));
  assert.equal(
    received.map((each) => each.method),
    ['HEAD', 'GET', 'POST', 'OPTIONS', 'TRACE'],
  );
});

test('a session is a variable that holds a header line, and a secret is one that holds the value', async ({
  base,
  received,
}) => {
  const action: Action = { http: { url: `${base}/?k=top-secret-1`, headers: [['X-Key', 'a top-secret-1 b']] } };
  const command = commandFor(action, {
    ...plain,
    identity: 'shop admin',
    sessionHeaderCount: 2,
    secrets: [{ value: 'top-secret-1', variable: 'SECRET_1' }],
  });
  assert.not.match(command, /top-secret/);
  await shell(command, {
    SESSION_SHOP_ADMIN: 'Cookie: sid=7',
    SESSION_SHOP_ADMIN_2: 'X-Tenant: 9',
    SECRET_1: 'top-secret-1',
  });
  const [{ url, headers } = { url: '', headers: {} as Received['headers'] }] = received;
  assert.equal(
    [url, headers['x-key'], headers.cookie, headers['x-tenant']],
    ['/?k=top-secret-1', 'a top-secret-1 b', 'sid=7', '9'],
  );
});

test('an empty header is sent empty', async ({ base, received }) => {
  await shell(commandFor({ http: { url: base, headers: [['X-Empty', '']] } }, plain));
  assert.is(received[0]?.headers['x-empty'], '');
});

test('an untrusted certificate does not stop the command, and a handshake shows its dates', async () => {
  const site = await startSite(() => html('hello'), { tls: await certificateFor('shop.localhost') });
  try {
    const { stdout } = await shell(commandFor({ http: { url: `${site.url}/` } }, { insecure: true }));
    assert.match(stdout, /hello/);
    const { stderr } = await shell(commandFor({ tls: { host: 'shop.localhost', port: site.port } }, plain));
    assert.match(stderr, /expire date|TLS|SSL/i);
    const named = commandFor(
      { tls: { host: 'shop.localhost', port: site.port, serverName: 'www.shop.localhost' } },
      plain,
    );
    await shell(named);
    const tls = { host: 'shop.localhost', port: site.port };
    const versionOf = async (range: Partial<TlsRequest>) =>
      /SSL connection using (TLSv[\d.]+)/.exec(
        (await shell(commandFor({ tls: { ...tls, ...range } }, plain))).stderr,
      )?.[1];
    assert.equal(
      [
        await versionOf({ maxVersion: 'TLSv1.2' }),
        await versionOf({ minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' }),
        await versionOf({ minVersion: 'TLSv1.3' }),
      ],
      ['TLSv1.2', 'TLSv1.2', 'TLSv1.3'],
    );
  } finally {
    await site.close();
  }
});

test('a name is asked for with dig, a page of a browser by its address', () => {
  assert.is(commandFor({ dns: { name: 'a.example', type: 'TXT' } }, plain), 'dig +short TXT a.example');
  assert.is(
    commandFor({ browser: { url: 'http://a.example/?q=%3C' } }, plain),
    "curl -sS -i 'http://a.example/?q=%3C'",
  );
});

test.run();
