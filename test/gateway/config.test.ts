import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadConfig } from '../../gateway/config.ts';

const test = suite('loadConfig');

test('needs no setting', () => {
  const config = loadConfig({});
  assert.is(config.coreUrl, 'http://127.0.0.1:7300');
  assert.is(config.port, 8080);
  assert.is(config.host, '127.0.0.1');
  assert.equal(config.trustedProxies, []);
});

test('reads proxies as addresses and networks', () => {
  const { trustedProxies } = loadConfig({ TRUSTED_PROXIES: '10.0.0.0/8, ::1' });
  assert.equal(trustedProxies, ['10.0.0.0/8', '::1']);
});

for (const [name, value] of [
  ['CORE_URL', 'ftp://core'],
  ['CORE_URL', 'core:7300'],
  ['GATEWAY_PORT', '70000'],
  ['GATEWAY_PORT', 'http'],
  ['TRUSTED_PROXIES', 'everyone'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['FAILED_KEYS_PER_MINUTE', '0'],
  ['LOG_LEVEL', 'loud'],
] as const) {
  test(`refuses ${name}=${value} by name`, () => {
    assert.throws(() => loadConfig({ [name]: value }), new RegExp(name));
  });
}

test('a certificate needs its key, and authorities for core need an https URL', () => {
  assert.throws(() => loadConfig({ GATEWAY_TLS_CERT_FILE: '/no/cert.pem' }), /GATEWAY_TLS_KEY_FILE/);
  assert.throws(() => loadConfig({ CORE_CA_FILE: '/no/ca.pem' }), /CORE_URL: use https:\/\/ with CORE_CA_FILE/);
  const secure = { CORE_URL: 'https://core:7300', CORE_CA_FILE: '/no/ca.pem' };
  assert.throws(() => loadConfig(secure), /CORE_CA_FILE: cannot read/);
  assert.throws(() => loadConfig({ ...secure, CORE_CLIENT_KEY_FILE: '/no/key.pem' }), /CORE_CLIENT_CERT_FILE/);
});

test.run();
