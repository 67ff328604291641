import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { starttlsMissing } from '../../../../workflows/checks/mail/starttls-missing.check.ts';
import type { CheckResult } from '../../../../workflows/checks/run-check.ts';
import { type MailServerOptions, startMailServer } from '../../../fixtures/mail-server.ts';
import type { Zone } from '../../../fixtures/name-server.ts';
import { namedBy, resultOf } from '../named-site.ts';

const test = suite('mail.starttls-missing');

const mx = (exchange: string, preference = 10) => ({ preference, exchange });
const zone: Zone = {
  'northwind.shop MX': [mx('mx.northwind.shop')],
  'mx.northwind.shop A': ['127.0.0.1'],
};

async function resultAt(server: MailServerOptions, records: Zone = zone): Promise<CheckResult> {
  const mail = await startMailServer(server);
  try {
    return await resultOf(starttlsMissing, records, { hosts: ['mx.northwind.shop'], mailPort: mail.port });
  } finally {
    mail.close();
  }
}

for (const [startTls, words] of [
  ['missing', 'does not offer to encrypt'],
  ['refuses', 'offers to encrypt, and refuses to begin'],
  ['breaks off', 'comes to no handshake'],
] as const) {
  test(`a server whose encryption ${startTls} is found`, async () => {
    const { outcome, findings } = await resultAt({ startTls });
    assert.is(outcome.kind, 'found', outcome.reason);
    assert.match(findings[0]?.description ?? '', new RegExp(words));
    assert.is(findings[0]?.location?.url, 'dns://mx.northwind.shop/northwind.shop?type=MX');
    assert.match(
      findings[0]?.proof?.curl ?? '',
      /^openssl s_client -starttls smtp -connect mx\.northwind\.shop:\d+ <\/dev\/null$/m,
    );
  });
}

test('a server that encrypts is clean, with whatever certificate', async () => {
  assert.is((await resultAt({})).outcome.kind, 'clean');
});

test('a server that announces nothing at all is not judged by what it does not announce', async () => {
  assert.is((await resultAt({ startTls: 'missing', extensions: [] })).outcome.kind, 'clean');
});

test('a domain without mail is not applicable, and neither is one whose servers are somewhere private', async () => {
  for (const records of [
    {},
    { 'northwind.shop MX': [mx('.')] },
    { 'northwind.shop MX': [mx('mx.northwind.shop')], 'mx.northwind.shop A': ['10.0.0.1'] },
  ])
    assert.equal(await namedBy(starttlsMissing, records), ['not-applicable']);
});

test('a server that turns us away, and one that nobody answers at, have not been looked at', async () => {
  assert.is((await resultAt({ does: 'turns away' })).outcome.kind, 'not-run');
  const { outcome } = await resultOf(starttlsMissing, zone, { hosts: ['mx.northwind.shop'], mailPort: 1 });
  assert.is(outcome.kind, 'not-run');
  assert.match(outcome.reason, /MAIL_PORT=0 leaves this check out/);
});

test('where the network closes the port, no mail server is asked', async () => {
  const { outcome } = await resultOf(starttlsMissing, zone, { hosts: ['mx.northwind.shop'], mailPort: 0 });
  assert.equal([outcome.kind, ...outcome.omitted.map(({ code }) => code)], ['not-run', 'instrument_off']);
});

test.run();
