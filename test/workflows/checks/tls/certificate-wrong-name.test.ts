import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { certificateWrongName } from '../../../../workflows/checks/tls/certificate-wrong-name.check.ts';
import { makeAuthority, makeCertificate } from '../../../fixtures/certificates.ts';
import { firstRows, further } from '../../../support/further.ts';
import { host, resultFor, verdictOn } from './public-site.ts';

const test = suite('tls.certificate-wrong-name');

const root = await makeAuthority('Northwind Root');
const trusted = { authority: root.cert };

const issued = (names: string[], commonName = 'Northwind web server', to = 90) =>
  makeCertificate({ commonName, names, issuer: root, to });

for (const [what, names] of firstRows(
  [
    ['another host', ['mail.northwind.shop']],
    ['the domain above it only', ['northwind.shop']],
    ['a host whose name merely ends like it', ['wwww.northwind.shop', 'northwind.shop.evil.example']],
    ['a wildcard of the wrong depth', ['*.www.northwind.shop', '*.shop']],
    ['many hosts of a provider', ['*.hosting.example', 'hosting.example', 'www.hosting.example']],
  ] as const,
  2,
)) {
  test(`a certificate for ${what} is found`, async () => {
    const found = await resultFor(certificateWrongName, await issued([...names]), trusted);
    assert.is(found.outcome.kind, 'found', found.outcome.reason);
    assert.match(found.findings[0]?.description ?? '', /, not for www\.northwind\.shop\./);
  });
}

further(test)('a certificate without any alternative name is for nobody, whatever its common name', async () => {
  for (const name of ['router.lan', host]) {
    const found = await resultFor(certificateWrongName, await issued([], name), trusted);
    assert.is(found.outcome.kind, 'found', found.outcome.reason);
    assert.match(found.findings[0]?.description ?? '', RegExp(`do not read its subject \\(CN=${name}\\)`));
  }
});

further(test)('a wildcard stands for no whole registry', async () => {
  const of = async (wildcard: string, name: string) =>
    (await resultFor(certificateWrongName, await issued([wildcard]), { ...trusted, host: name })).outcome.kind;
  assert.is(await of('*.shop', 'northwind.shop'), 'found');
  assert.is(await of('*.co.uk', 'northwind.co.uk'), 'found');
  assert.is(await of('*.github.io', 'northwind.github.io'), 'clean');
});

further(test)('a certificate that nobody knows the authority of is judged by its name all the same', async () => {
  assert.equal(await verdictOn(certificateWrongName, await issued(['other.northwind.shop'])), ['found', 1]);
});

further(test)('a certificate of one’s own making is judged by its name, whether it is trusted or not', async () => {
  const own = await makeCertificate({ commonName: 'localhost' });
  for (const authority of [{}, { authority: own.cert }])
    assert.equal(await verdictOn(certificateWrongName, own, authority), ['found', 1]);
});

for (const [what, names] of [
  ['the host', [host]],
  ['the host among others, in capitals', ['northwind.shop', 'WWW.Northwind.SHOP']],
  ['a wildcard', ['*.northwind.shop']],
] as const) {
  test(`a certificate for ${what} is clean`, async () => {
    assert.equal(await verdictOn(certificateWrongName, await issued([...names]), trusted), ['clean', 0]);
  });
}

for (const [what, make] of [['name is right and that has expired', () => issued([host], host, -1 / 24)]] as const) {
  test(`a certificate whose ${what} is not reported here`, async () => {
    assert.equal(await verdictOn(certificateWrongName, await make(), trusted), ['clean', 0]);
  });
}

test('an address has no name that could be wrong', async () => {
  const result = await resultFor(certificateWrongName, await issued([host]), { host: '127.0.0.1' });
  assert.is(result.outcome.kind, 'not-applicable');
});

test.run();
