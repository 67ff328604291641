import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTrust } from '../../../../workflows/probe/tls/trust.ts';
import { certificateFor } from '../support.ts';

const Trusted = suite('whom we trust');

Trusted('are public authorities, each once, and the operator’s own', async () => {
  const { cert } = await certificateFor('authority.example');
  const names = createTrust(cert)
    .authorities()
    .map(({ fingerprint256 }) => fingerprint256);
  const known = createTrust().authorities();
  assert.ok(known.length > 50);
  assert.is(new Set(names).size, names.length);
  assert.is(names.length, known.length + 1);
});

Trusted('are looked up once for whoever trusts the same, by range of versions', async () => {
  const { cert } = await certificateFor('authority.example');
  assert.is(createTrust(), createTrust(''));
  assert.is.not(createTrust(cert), createTrust());
  assert.is(createTrust(cert).context(), createTrust(cert).context());
  assert.is.not(createTrust(cert).context(), createTrust(cert).context({ maxVersion: 'TLSv1.2' }));
});

Trusted.run();
