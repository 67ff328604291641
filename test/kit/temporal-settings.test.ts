import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../../kit/config.ts';
import { readTemporal, temporalShape } from '../../kit/temporal-settings.ts';
import { makeCertificate } from '../fixtures/certificates.ts';
import { withFolder } from '../support/folder.ts';
import { pemFiles, writePems } from '../support/pem-files.ts';

const test = suite('settings of Temporal');
const read = (env: Record<string, string>) => readTemporal(readConfig(temporalShape, env));

test('are plain text to this machine when nothing is said', () => {
  const plain = { address: '127.0.0.1:7233', namespace: 'default', taskQueuePrefix: 'scan-audit' };
  assert.equal(read({}), plain);
});

test('switch TLS on by themselves with an API key, and never send the key without', () => {
  const { tls, apiKey } = read({ TEMPORAL_API_KEY: 'key' });
  assert.equal([tls, apiKey], [{}, 'key']);
  assert.throws(() => read({ TEMPORAL_API_KEY: 'key', TEMPORAL_TLS: 'false' }), /TEMPORAL_TLS: TEMPORAL_API_KEY/);
  assert.equal(read({ TEMPORAL_TLS: 'true' }).tls, {});
  assert.throws(() => read({ TEMPORAL_TLS: 'yes' }), /TEMPORAL_TLS: use true or false/);
});

test('read certificates for mutual TLS from files', () =>
  withFolder(async (folder) => {
    const { cert, key } = await makeCertificate({ commonName: 'core' });
    await writePems(folder, { cert, key, ca: cert });
    const files = pemFiles(folder);
    const { tls } = read({
      TEMPORAL_TLS_CA_FILE: files.ca,
      TEMPORAL_TLS_CERT_FILE: files.cert,
      TEMPORAL_TLS_KEY_FILE: files.key,
      TEMPORAL_TLS_SERVER_NAME: 'temporal.internal',
    });
    assert.equal(tls, {
      serverRootCACertificate: Buffer.from(cert),
      serverNameOverride: 'temporal.internal',
      clientCertPair: { crt: Buffer.from(cert), key: Buffer.from(key) },
    });
    assert.throws(() => read({ TEMPORAL_TLS_CERT_FILE: files.cert }), /TEMPORAL_TLS_KEY_FILE/);
  }));

test.run();
