import 'reflect-metadata';
import { BasicConstraintsExtension, KeyUsageFlags, KeyUsagesExtension } from '@peculiar/x509';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { certificateUntrusted } from '../../../../workflows/checks/tls/certificate-untrusted.check.ts';
import { incompleteChain } from '../../../../workflows/checks/tls/incomplete-chain.check.ts';
import { makeAuthority, makeCertificate, rsa, withChain } from '../../../fixtures/certificates.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { runOn, stored } from '../harness.ts';
import { host, resultFor, verdictOn } from './public-site.ts';

const test = suite('tls.certificate-untrusted and tls.incomplete-chain');

const root = await makeAuthority('Northwind Root');
const intermediate = await makeAuthority('Northwind Intermediate', { issuer: root });
const leaf = await makeCertificate({ commonName: host, issuer: intermediate });
const direct = await makeCertificate({ commonName: host, issuer: root });
const selfSigned = await makeCertificate({ commonName: host });
/** As those that Windows and .NET make: its key may not sign certificates, its own neither. */
const forServersOnly = [
  new BasicConstraintsExtension(false, undefined, true),
  new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment, true),
];
const ofWindows = await makeCertificate({ commonName: host, key: rsa(2_048), extensions: forServersOnly });
const endedOfWindows = await makeCertificate({ commonName: host, from: -400, to: -30, extensions: forServersOnly });

for (const [what, certificate, detail] of firstRows(
  [
    ['signs itself', selfSigned, /signed by itself/],
    ['signs itself with a key for servers only', ofWindows, /signed by itself/],
    ['comes with a root that nobody knows', withChain(direct, root), /leads to CN=Northwind Root/],
    ['comes with a whole chain that nobody knows', withChain(leaf, intermediate, root), /leads to CN=Northwind Root/],
  ] as const,
  2,
)) {
  test(`a certificate that ${what} is untrusted, and its chain is not called incomplete`, async () => {
    const found = await resultFor(certificateUntrusted, certificate);
    assert.is(found.outcome.kind, 'found', found.outcome.reason);
    assert.match(found.findings[0]?.description ?? '', detail);
    assert.match(
      stored(found),
      /verification: (?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)\\npath: self-signed/,
    );
    assert.equal(await verdictOn(incompleteChain, certificate), ['clean', 0]);
  });
}

for (const [what, certificate, detail] of [
  [
    'its own certificate alone',
    leaf,
    /sends one certificate; the issuer of CN=www\.northwind\.shop, CN=Northwind Intermediate/,
  ],
  ['a chain without its root', withChain(leaf, intermediate), /sends 2 certificates; .* CN=Northwind Root/],
] as const) {
  further(test)(
    `a server that sends ${what}, to an authority that nobody knows, is incomplete and not called self-signed`,
    async () => {
      const found = await resultFor(incompleteChain, certificate);
      assert.is(found.outcome.kind, 'found', found.outcome.reason);
      assert.match(found.findings[0]?.description ?? '', detail);
      assert.equal(await verdictOn(certificateUntrusted, certificate), ['clean', 0]);
    },
  );
}

further(test)('one for servers only that signs itself is untrusted behind an end of its time too', async () => {
  assert.equal(await verdictOn(certificateUntrusted, endedOfWindows), ['found', 1]);
  assert.equal(await verdictOn(incompleteChain, endedOfWindows), ['clean', 0]);
});

test('a server that lacks the intermediate of a trusted authority is incomplete; with it, it is clean', async () => {
  const trusted = { authority: root.cert };
  assert.equal(await verdictOn(incompleteChain, leaf, trusted), ['found', 1]);
  assert.equal(await verdictOn(incompleteChain, withChain(leaf, intermediate), trusted), ['clean', 0]);
  assert.equal(await verdictOn(certificateUntrusted, withChain(leaf, intermediate), trusted), ['clean', 0]);
});

further(test)('a trusted certificate for another name is not called untrusted', async () => {
  const other = await makeCertificate({ commonName: 'mail.northwind.shop', issuer: root });
  assert.equal(await verdictOn(certificateUntrusted, other, { authority: root.cert }), ['clean', 0]);
  assert.equal(await verdictOn(incompleteChain, other, { authority: root.cert }), ['clean', 0]);
});

test('names that no public authority certifies are not judged by public authorities', async () => {
  const tls = await makeCertificate({ commonName: 'shop.localhost' });
  const site = await startSite(() => html('hello'), { tls });
  try {
    for (const check of [certificateUntrusted, incompleteChain])
      assert.is((await runOn(site.url, check)).outcome.kind, 'not-applicable');
  } finally {
    await site.close();
  }
});

test.run();
