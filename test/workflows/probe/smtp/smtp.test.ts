import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SmtpLook } from '../../../../workflows/model/smtp.ts';
import { parseAllowRules } from '../../../../workflows/probe/guard/allow.ts';
import { type MailServer, type MailServerOptions, startMailServer } from '../../../fixtures/mail-server.ts';
import { codeOf, openFor } from '../support.ts';

const test = suite('the mail instrument');

type Look = (host?: string) => Promise<SmtpLook>;

async function withServer(
  options: MailServerOptions,
  work: (look: Look, server: MailServer, probes: ReturnType<typeof openFor>) => Promise<void>,
  timeMs = 60_000,
): Promise<void> {
  const server = await startMailServer(options);
  const guard = { allow: parseAllowRules(['mx.localhost=127.0.0.0/8']), mailPort: server.port };
  const probes = openFor('http://shop.localhost/', { guard, share: { deadlineMs: Date.now() + timeMs } });
  try {
    await work((host = 'mx.localhost') => probes.smtp.look(host), server, probes);
  } finally {
    await probes.close();
    server.close();
  }
}

test('greets a server, encrypts and says goodbye', () =>
  withServer({}, async (look, { said }, probes) => {
    const { greeting, extensions, startTls, detail } = await look();
    assert.equal([greeting, startTls, detail], ['220 mx.northwind.shop ESMTP', 'done', 'TLSv1.3']);
    assert.equal(extensions, ['PIPELINING', 'SIZE 10240000', 'STARTTLS']);
    assert.equal(said, ['EHLO [127.0.0.1]', 'STARTTLS', 'QUIT']);
    assert.is(probes.requests(), 1);
  }));

test('reads lines that come letter by letter', () =>
  withServer({ isSlow: true }, async (look) => {
    assert.is((await look()).startTls, 'done');
  }));

for (const [startTls, reported] of [
  ['missing', 'not-offered'],
  ['refuses', 'refused'],
  ['breaks off', 'failed'],
] as const) {
  test(`reports a server whose encryption ${startTls}`, () =>
    withServer({ startTls }, async (look) => {
      assert.is((await look()).startTls, reported);
    }));
}

for (const [does, code] of [
  ['hangs up', 'protocol_error'],
  ['turns away', 'protocol_error'],
  ['other words', 'protocol_error'],
  ['floods', 'too_large'],
] as const) {
  test(`fails at a server that ${does}`, () =>
    withServer({ does }, async (look) => {
      assert.is(await codeOf(look()), code);
    }));
}

for (const does of ['silent', 'drips'] as const) {
  test(`gives up on a server that ${does === 'silent' ? 'says nothing' : 'never ends a line'}`, () =>
    withServer(
      { does },
      async (look) => {
        assert.is(await codeOf(look()), 'timeout');
      },
      1_500,
    ));
}

test('does not judge what something on the way has meddled with', () =>
  withServer({ startTls: 'missing', extensions: ['PIPELINING', 'XXXXXXXA'] }, async (look) => {
    assert.is(await codeOf(look()), 'protocol_error');
  }));

test('asks nobody whom the guard does not let pass', () =>
  withServer({}, async (look, { said }) => {
    assert.is(await codeOf(look('127.0.0.1')), 'forbidden_address');
    assert.is(await codeOf(look('other.localhost')), 'forbidden_address');
    assert.equal(said, []);
  }));

test('ends when the scan is canceled', () =>
  withServer({ does: 'silent' }, async (look, _server, probes) => {
    const ended = codeOf(look());
    setTimeout(() => probes.close(), 50);
    assert.is(await ended, 'canceled');
  }));

test.run();
