import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { certificateExpired } from '../../../../workflows/checks/tls/certificate-expired.check.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { certificateFor } from '../../probe/support.ts';
import { runOn, stored } from '../harness.ts';

const test = suite('tls.certificate-expired');

const dayMs = 86_400_000;
const daysFromNow = (days: number) => new Date(Date.now() + days * dayMs);

async function result(validity: { notBefore: Date; notAfter: Date }) {
  const site = await startSite(() => html('hello'), { tls: await certificateFor('shop.localhost', validity) });
  try {
    return await runOn(site.url, certificateExpired);
  } finally {
    await site.close();
  }
}

for (const [age, days] of [
  ['long ago', -400],
  ['a minute ago', -1 / 1_440],
] as const) {
  test(`a certificate that expired ${age} is found`, async () => {
    const found = await result({ notBefore: daysFromNow(-500), notAfter: daysFromNow(days) });
    assert.is(found.outcome.kind, 'found', found.outcome.reason);
    assert.is(found.findings[0]?.location?.method, 'TLS');
    assert.match(found.findings[0]?.proof?.curl ?? '', /^openssl s_client -connect shop\.localhost:\d+ /);
    assert.match(stored(found), /CN=shop\.localhost/);
  });
}

for (const [what, from, to] of [
  ['is valid', -1, 90],
  ['ends within the hour', -1, 1 / 24],
  ['is not valid yet', 1, 90],
] as const) {
  test(`a certificate that ${what} is clean, though nobody trusts it`, async () => {
    const found = await result({ notBefore: daysFromNow(from), notAfter: daysFromNow(to) });
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0]);
  });
}

test('a host without HTTPS has no certificate to look at', async () => {
  const site = await startSite(() => html('hello'));
  try {
    assert.is((await runOn(site.url, certificateExpired)).outcome.kind, 'not-applicable');
  } finally {
    await site.close();
  }
});

test.run();
