import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { compression } from '../../../../workflows/checks/tls/compression.check.ts';
import { dhWeak } from '../../../../workflows/checks/tls/dh-weak.check.ts';
import { earlyData } from '../../../../workflows/checks/tls/early-data.check.ts';
import { forwardSecrecyMissing } from '../../../../workflows/checks/tls/forward-secrecy-missing.check.ts';
import { protocolOutdated } from '../../../../workflows/checks/tls/protocol-outdated.check.ts';
import { renegotiationInsecure } from '../../../../workflows/checks/tls/renegotiation-insecure.check.ts';
import { suitesRc4 } from '../../../../workflows/checks/tls/suites-rc4.check.ts';
import { suitesSmallBlocks } from '../../../../workflows/checks/tls/suites-small-blocks.check.ts';
import { suitesUnprotected } from '../../../../workflows/checks/tls/suites-unprotected.check.ts';
import { makeAuthority, makeCertificate, rsa } from '../../../fixtures/certificates.ts';
import { startNameServer } from '../../../fixtures/name-server.ts';
import { startKinds } from '../../../fixtures/tls/kinds.ts';
import { firstOfKinds } from '../../../support/further.ts';
import { check, openAudit } from '../harness.ts';
import { host } from './public-site.ts';

const test = suite('weaknesses of TLS servers of all kinds');

const checks = [
  compression,
  dhWeak,
  earlyData,
  forwardSecrecyMissing,
  protocolOutdated,
  renegotiationInsecure,
  suitesRc4,
  suitesSmallBlocks,
  suitesUnprotected,
] as Check[];

const root = await makeAuthority('Northwind Root', { key: rsa(2_048) });
const [names, rsaServer, ecServer, other] = await Promise.all([
  startNameServer({ [`${host} A`]: ['127.0.0.1'] }),
  makeCertificate({ commonName: host, issuer: root, key: rsa(2_048) }),
  makeCertificate({ commonName: host, issuer: root }),
  makeCertificate({ commonName: 'other.northwind.shop', issuer: root, key: rsa(2_048) }),
]);
const { kinds, skipped, close } = await startKinds({ rsa: rsaServer, ec: ecServer, other });
if (skipped.length > 0) console.error(`left out, since it is not on this machine: ${skipped.join(', ')}`);

test.after(async () => {
  await close();
  names.close();
});

for (const { name, port, weaknesses } of firstOfKinds(kinds, ({ weaknesses }) => weaknesses.join(), 1))
  test(`${name}: ${weaknesses.join(', ') || 'nothing'}`, async () => {
    const audit = await openAudit(`https://${host}:${port}/`, {
      dnsServer: names.address,
      hosts: [host],
      authority: root.cert,
    });
    try {
      const results = await Promise.all(checks.map((each) => check(audit, each)));
      const notRun = results.filter(({ outcome }) => outcome.kind === 'not-run');
      assert.equal(
        notRun.map(({ outcome }) => `${outcome.checkId}: ${outcome.reason}`),
        [],
      );
      const found = results.filter(({ findings }) => findings.length > 0).map(({ outcome }) => outcome.checkId);
      assert.equal(found, weaknesses.map((id) => `tls.${id}`).toSorted());
    } finally {
      await audit.close();
    }
  });

test.run();
