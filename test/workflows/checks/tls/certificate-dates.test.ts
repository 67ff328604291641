import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { certificateExpiring } from '../../../../workflows/checks/tls/certificate-expiring.check.ts';
import { certificateNotYetValid } from '../../../../workflows/checks/tls/certificate-not-yet-valid.check.ts';
import { makeCertificate } from '../../../fixtures/certificates.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { runOn } from '../harness.ts';
import { host, resultFor, verdictOn } from './public-site.ts';

const test = suite('tls.certificate-expiring and tls.certificate-not-yet-valid');

const minute = 1 / 1_440;
const lasting = (from: number, to: number) => makeCertificate({ commonName: host, from, to });

for (const [what, from, to] of [
  ['of 90 days has 13 left', -77, 13],
  ['of a year has a minute left', -365, minute],
  ['of six days has one left', -5, 1],
] as const) {
  test(`a certificate that ${what} is expiring`, async () => {
    const found = await resultFor(certificateExpiring, await lasting(from, to));
    assert.is(found.outcome.kind, 'found', found.outcome.reason);
    assert.match(found.findings[0]?.description ?? '', /ends on \d{4}-/);
  });
}

for (const [what, from, to] of [
  ['of 90 days has 15 left', -75, 15],
  ['of six days has three left', -3, 3],
  ['of 45 days has 14 left', -31, 14],
  ['has expired', -90, -minute],
] as const) {
  test(`a certificate that ${what} is not called expiring`, async () => {
    assert.equal(await verdictOn(certificateExpiring, await lasting(from, to)), ['clean', 0]);
  });
}

for (const [what, from] of [
  ['an hour', 1 / 24],
  ['a year', 365],
] as const) {
  test(`a certificate that begins in ${what} is not valid yet`, async () => {
    const found = await resultFor(certificateNotYetValid, await lasting(from, 400));
    assert.is(found.outcome.kind, 'found', found.outcome.reason);
    assert.match(found.findings[0]?.description ?? '', /is valid from \d{4}-/);
  });
}

for (const [what, from, to] of [
  ['is valid', -1, 90],
  ['begins within what clocks differ by', 5 * minute, 90],
  ['has expired', -90, -1],
] as const) {
  test(`a certificate that ${what} is not called not yet valid`, async () => {
    assert.equal(await verdictOn(certificateNotYetValid, await lasting(from, to)), ['clean', 0]);
  });
}

test('a host without HTTPS has no certificate to look at', async () => {
  const site = await startSite(() => html('hello'));
  try {
    for (const check of [certificateExpiring, certificateNotYetValid])
      assert.is((await runOn(site.url, check)).outcome.kind, 'not-applicable');
  } finally {
    await site.close();
  }
});

test.run();
