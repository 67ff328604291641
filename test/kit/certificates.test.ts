import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { credentialFiles, readCredentials } from '../../kit/certificates.ts';
import { ConfigError } from '../../kit/config.ts';
import { makeCertificate, withChain } from '../fixtures/certificates.ts';
import { withFolder } from '../support/folder.ts';
import { pemFiles, writePems } from '../support/pem-files.ts';

const one = await makeCertificate({ commonName: 'one' });
const two = await makeCertificate({ commonName: 'two' });
const names = { cert: 'CERT_FILE', key: 'KEY_FILE', ca: 'CA_FILE' };

const test = suite('credentials in files');

function fault(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    assert.instance(error, ConfigError);
    return error instanceof Error ? error.message : '';
  }
  throw new Error('it was accepted');
}

test('a certificate with its chain and its key are read', () =>
  withFolder(async (folder) => {
    const { cert, key } = withChain(one, two);
    await writePems(folder, { cert, key });
    const { cert: CERT_FILE, key: KEY_FILE } = pemFiles(folder);
    assert.equal(readCredentials(credentialFiles({ CERT_FILE, KEY_FILE }, names)), { cert, key });
  }));

test('one of a pair alone is refused, with the names of both', () => {
  for (const settings of [{ CERT_FILE: 'a.pem' }, { KEY_FILE: 'a.pem' }])
    assert.match(
      fault(() => credentialFiles(settings, names)),
      'CERT_FILE and KEY_FILE',
    );
});

test('what cannot be used is named by setting and file, and its text is not repeated', () =>
  withFolder(async (folder) => {
    const { cert: CERT_FILE, key: KEY_FILE, ca: CA_FILE } = pemFiles(folder);
    const files = credentialFiles({ CERT_FILE, KEY_FILE, CA_FILE }, names);
    const read = () => readCredentials(files);
    assert.match(fault(read), `CERT_FILE: cannot read ${CERT_FILE}`);
    await writePems(folder, { cert: one.cert, key: two.key, ca: 'canary' });
    assert.match(fault(read), `CA_FILE: ${CA_FILE} holds no PEM certificate`);
    assert.not.match(fault(read), 'canary');
    await writePems(folder, { ca: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n' });
    assert.match(fault(read), `CA_FILE: ${CA_FILE} holds a certificate that cannot be read`);
    await writePems(folder, { ca: two.cert });
    assert.match(fault(read), `KEY_FILE: ${KEY_FILE} is not the key of ${CERT_FILE}`);
    await writeFile(join(folder, 'tls.key'), 'canary');
    assert.match(fault(read), `KEY_FILE: ${KEY_FILE} is not the key of ${CERT_FILE}`);
  }));

test.run();
