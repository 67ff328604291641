import { createSocket } from 'node:dgram';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { decode, encode } from 'dns-packet';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { callbackAnswer } from '../../kit/callback-answer.ts';
import { newCallbackToken } from '../../kit/callback-token.ts';
import { shown, startTestListener } from './support.ts';

const test = suite('the listener for callbacks');
const other = 'x'.repeat(32);

test('reports the token of a path and of a host name to core, and answers with its word', async () => {
  const { url, token, runId, reported, close } = await startTestListener();
  try {
    const [first, second] = [token(), token()];
    const answer = await fetch(`${url}/${first}/some/path?a=1`, { redirect: 'manual' });
    assert.is(await answer.text(), `${callbackAnswer(first)}\n`);
    await rawHttp(Number(new URL(url).port), `GET / HTTP/1.1\r\nHost: ${second.toUpperCase()}.cb.example.com\r\n\r\n`);
    const callbacks = await reported(2);
    assert.equal(shown(callbacks), [`http ${first}`, `http ${second}`]);
    assert.ok(callbacks.every((callback) => callback.runId === runId && callback.address === '127.0.0.1'));
    assert.is(callbacks[0]?.detail, `GET /${first}/some/path?a=1`);
  } finally {
    await close();
  }
});

test('drops what has no token of its own secret before it is reported to core, and answers nothing about it', async () => {
  const { url, token, runId, reported, close } = await startTestListener();
  try {
    const foreign = newCallbackToken(other, runId);
    const last = token();
    const changed = `${last.startsWith('a') ? 'b' : 'a'}${last.slice(1)}`;
    for (const path of ['', foreign, changed, 'a'.repeat(48)]) {
      const answer = await fetch(`${url}/${path}`);
      assert.is(answer.status, 404);
      assert.not.match(await answer.text(), path || 'nothing here');
    }
    await fetch(`${url}/${last}`);
    assert.equal(shown(await reported(1)), [`http ${last}`]);
  } finally {
    await close();
  }
});

test('reports a token once by each protocol, however often it is called', async () => {
  const { url, token, reported, close } = await startTestListener();
  try {
    const [often, last] = [token(), token()];
    await Promise.all(Array.from({ length: 50 }, () => fetch(`${url}/${often}`).then((answer) => answer.text())));
    await fetch(`${url}/${last}`);
    await reported(2);
    await sleep(100);
    assert.equal(shown(await reported(2)), [`http ${often}`, `http ${last}`]);
  } finally {
    await close();
  }
});

test('reports to core later what it could not report at once', async () => {
  const { url, token, reported, goAway, comeBack, close } = await startTestListener();
  try {
    goAway();
    const word = token();
    await fetch(`${url}/${word}`);
    await sleep(100);
    comeBack();
    assert.equal(shown(await reported(1)), [`http ${word}`]);
  } finally {
    await close();
  }
});

test('sends redirects to loopback alone', async () => {
  const { url, token, close } = await startTestListener();
  const location = async (rest: string) =>
    (await fetch(`${url}/${token()}${rest}`, { redirect: 'manual' })).headers.get('location');
  try {
    assert.is(await location('/to/8080/admin'), 'http://127.0.0.1:8080/admin');
    for (const rest of ['/to/8080', '/to/99999/x', '/to/80@evil.example/', '/to//evil.example/', '/to/80/a%0d%0ab'])
      assert.match((await location(rest)) ?? 'http://127.0.0.1:', /^http:\/\/127\.0\.0\.1:/);
    const without = await fetch(`${url}/to/8080/admin`, { redirect: 'manual' });
    assert.is(without.status, 404);
  } finally {
    await close();
  }
});

test('gives the public key that stands in its path, and nothing that is no number', async () => {
  const { url, token, close } = await startTestListener();
  const n = 'aB3_-'.repeat(68);
  try {
    const list = await fetch(`${url}/${token()}/keys/${n}/.well-known/jwks.json`);
    assert.equal(await list.json(), { keys: [{ kty: 'RSA', kid: 'own', use: 'sig', alg: 'RS256', n, e: 'AQAB' }] });
    for (const other of ['short', `${n}%22`, `${n}<b>`]) {
      const answer = await fetch(`${url}/${token()}/keys/${other}/.well-known/jwks.json`);
      assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/);
    }
  } finally {
    await close();
  }
});

test('takes the name that a TLS client asks for as a call, also of one that does not trust it', async () => {
  const { ports, token, reported, close } = await startTestListener();
  try {
    const word = token();
    await new Promise<void>((resolve) => {
      const options = { host: '127.0.0.1', port: ports.https, servername: `${word}.cb.example.com` };
      httpsRequest(options)
        .on('error', () => resolve())
        .end();
    });
    assert.equal(shown(await reported(1)), [`https ${word}`]);
  } finally {
    await close();
  }
});

test('answers questions for names with a token, and amplifies none', async () => {
  const { ports, token, reported, close } = await startTestListener();
  try {
    const word = token();
    const found = await ask(ports.dns ?? 0, `${word}.cb.example.com`);
    assert.equal(
      found.answers?.map((answer) => ('data' in answer ? answer.data : '')),
      ['203.0.113.9'],
    );
    assert.is(found.flag_aa, true);
    const apex = await ask(ports.dns ?? 0, 'cb.example.com');
    assert.equal([apex.rcode, apex.answers], ['NOERROR', []]);
    assert.ok(apex.bytes <= apex.asked);
    assert.ok(found.bytes - found.asked === 16);
    assert.equal(shown(await reported(1)), [`dns ${word}`]);
  } finally {
    await close();
  }
});

test('goes on after questions that are none', async () => {
  const { ports, token, reported, close } = await startTestListener();
  const socket = createSocket('udp4');
  try {
    const junk = [
      Buffer.alloc(0),
      Buffer.alloc(12),
      Buffer.alloc(600, 0xc0),
      Buffer.from('000001000001000000000000ff', 'hex'),
    ];
    for (const message of junk) socket.send(message, ports.dns ?? 0, '127.0.0.1');
    const word = token();
    await ask(ports.dns ?? 0, `${word}.cb.example.com`);
    assert.equal(shown(await reported(1)), [`dns ${word}`]);
  } finally {
    socket.close();
    await close();
  }
});

test('takes mail for an address with a token, and for no other', async () => {
  const { ports, token, reported, close } = await startTestListener();
  try {
    const word = token();
    const lines = await mail(ports.smtp ?? 0, ['someone@example.com', `${word}@cb.example.com`]);
    assert.equal(
      lines.map((line) => line.slice(0, 3)),
      ['220', '250', '250', '550', '250', '354', '250', '221'],
    );
    assert.equal(shown(await reported(1)), [`smtp ${word}`]);
  } finally {
    await close();
  }
});

test('ends a mail that is too long, and a line that never ends', async () => {
  const { ports, close } = await startTestListener();
  try {
    assert.match(await flood(ports.smtp ?? 0, 'HELO me\r\nDATA\r\n', 'y'.repeat(65_536)), /552/);
    assert.match(await flood(ports.smtp ?? 0, '', 'y'.repeat(65_536)), /500/);
  } finally {
    await close();
  }
});

test('reports the name that a client of LDAP searches for, on the port of HTTP', async () => {
  const { ports, token, reported, close } = await startTestListener();
  const [word, other] = [token(), token()];
  const socket = connect(ports.http, '127.0.0.1');
  const answers: string[] = [];
  socket.on('data', (data) => answers.push(data.toString('hex')));
  try {
    const name = Buffer.from(`cn=${word}`);
    const rest = Buffer.from('0a01000a0103020100020100010100870b6f626a656374436c6173733000', 'hex');
    const search = Buffer.concat([Buffer.from([4, name.length]), name, rest]);
    socket.write(Buffer.from('300c020101600702010304008000', 'hex'));
    await until(() => answers.length === 1);
    const whole = Buffer.concat([Buffer.from([0x30, 5 + search.length, 2, 1, 2, 0x63, search.length]), search]);
    socket.write(whole.subarray(0, 9));
    await sleep(20);
    socket.write(whole.subarray(9));
    await until(() => answers.length === 2);
    // The one succeeds, and the other finds no such object.
    assert.equal(answers, ['300c02010161070a010004000400', '300c02010265070a012004000400']);
    assert.equal(shown(await reported(1)), [`ldap ${word}`]);
    await fetch(`http://127.0.0.1:${ports.http}/${other}`);
    assert.equal(shown(await reported(2)), [`ldap ${word}`, `http ${other}`]);
  } finally {
    socket.destroy();
    await close();
  }
});

test('ends what looks like LDAP and is none, and what says nothing', async () => {
  const { ports, close } = await startTestListener();
  try {
    for (const text of ['0', '0\x84\xff\xff\xff\xff', '0\x80', '0\x03\x04\x01a', `0\x82\x0f\xff${'a'.repeat(5_000)}`]) {
      const socket = connect(ports.http, '127.0.0.1');
      socket.on('error', () => {});
      socket.resume();
      socket.end(Buffer.from(text, 'latin1'));
      await new Promise((resolve) => socket.once('close', resolve));
    }
  } finally {
    await close();
  }
});

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds() && tries < 200; tries += 1) await sleep(10);
}

async function rawHttp(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

async function ask(port: number, name: string) {
  const socket = createSocket('udp4');
  try {
    const question = encode({ type: 'query', id: 7, flags: 0x0100, questions: [{ type: 'A', name }] });
    const answer = await new Promise<Buffer>((resolve) => {
      socket.once('message', resolve);
      socket.send(question, port, '127.0.0.1');
    });
    return {
      ...decode(answer),
      rcode: (decode(answer) as unknown as { rcode: string }).rcode,
      bytes: answer.length,
      asked: question.length,
    };
  } finally {
    socket.close();
  }
}

async function mail(port: number, recipients: string[]): Promise<string[]> {
  const socket = connect(port, '127.0.0.1');
  const commands = [
    'EHLO me',
    'MAIL FROM:<a@example.com>',
    ...recipients.map((address) => `RCPT TO:<${address}>`),
    'DATA',
    'Subject: x\r\n\r\nText.\r\n.',
    'QUIT',
  ];
  const lines: string[] = [];
  for await (const chunk of socket) {
    lines.push(...String(chunk).trimEnd().split('\r\n'));
    const next = commands.shift();
    if (next !== undefined) socket.write(`${next}\r\n`);
  }
  return lines;
}

async function flood(port: number, start: string, piece: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  let text = '';
  socket.on('data', (data) => {
    text += String(data);
  });
  socket.write(start);
  for (let sent = 0; sent < 40 && !socket.closed && !/^5/m.test(text); sent += 1) {
    socket.write(piece);
    await sleep(5);
  }
  for (let tries = 0; !/^5/m.test(text) && tries < 100; tries += 1) await sleep(20);
  socket.destroy();
  return text;
}

test.run();
