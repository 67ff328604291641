import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { httpsTarget, openFor } from '../support.ts';

const test = suite('handshakes for reference');

test('lead to a certificate for the name without any fault, and send nothing to the host', async () => {
  const target = await httpsTarget((_request, response) => response.end());
  const probes = openFor(target.url);
  try {
    for (const [reference, keyType, keyBits] of [
      ['ec', 'ec', 256],
      ['rsa', 'rsa', 2_048],
    ] as const) {
      const { chain, path, ...seen } = await probes.tls.handshake({ host: target.host, port: target.port, reference });
      const [leaf] = chain;
      assert.equal([seen.authorizationError, seen.isPubliclyTrusted, seen.remoteAddress], ['', false, '']);
      assert.equal([leaf?.subjectAltNames, leaf?.keyType, leaf?.keyBits], [[target.host], keyType, keyBits]);
      assert.is(path?.end, 'trusted');
      assert.ok(Date.parse(path?.validFrom ?? '') < Date.now() && Date.parse(path?.validTo ?? '') > Date.now());
      assert.ok(seen.signatures.length > 0 && seen.signatures.every((name) => /sha256/i.test(name)));
    }
    assert.equal([target.connections(), probes.requests()], [0, 0]);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

test('are made for addresses, too', async () => {
  const probes = openFor('https://192.0.2.7');
  const { chain, authorizationError } = await probes.tls.handshake({ host: '192.0.2.7', port: 443, reference: 'ec' });
  assert.equal([chain[0]?.subjectAltNames, authorizationError], [['192.0.2.7'], '']);
  await probes.close();
});

test('present another certificate each time', async () => {
  const probes = openFor('https://shop.localhost');
  const made = () => probes.tls.handshake({ host: 'shop.localhost', port: 443, reference: 'ec' });
  const [one, two] = await Promise.all([made(), made()]);
  assert.is.not(one.chain[0]?.fingerprint256, two.chain[0]?.fingerprint256);
  await probes.close();
});

test.run();
