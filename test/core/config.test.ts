import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadConfig } from '../../core/config.ts';
import { ConfigError } from '../../kit/config.ts';

const test = suite('core settings');

const key = randomBytes(32).toString('base64');
const needed = { DATABASE_URL: 'postgres://app:pw@db.internal/scan_audit', ENCRYPTION_KEYS: `2026:${key}` };

const fault = (env: Record<string, string>): string => {
  try {
    loadConfig(env);
  } catch (error) {
    assert.instance(error, ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error('the settings were accepted');
};

test('two settings are enough', () => {
  const config = loadConfig(needed);
  assert.equal([config.host, config.port, config.operationsPort, config.logLevel], ['127.0.0.1', 7300, 7301, 'info']);
  assert.equal(config.build.temporal, {
    address: '127.0.0.1:7233',
    namespace: 'default',
    taskQueuePrefix: 'scan-audit',
  });
  assert.is(config.databaseOwnerUrl, undefined);
  assert.is(config.build.tls, undefined);
});

test('encryption keys keep their order, the first being the current one', () => {
  const keys = loadConfig({ ...needed, ENCRYPTION_KEYS: `new:${key}, old:${key}` }).build.encryptionKeys;
  assert.equal(
    keys.map(({ id }) => id),
    ['new', 'old'],
  );
  assert.equal(Buffer.from(keys[0]?.key ?? []).toString('base64'), key);
});

test('every bad setting is named in one message', () => {
  const message = fault({
    DATABASE_URL: 'mysql://x',
    DATABASE_OWNER_URL: 'postgres://no-role.example/x',
    CORE_PORT: '99999',
    TEMPORAL_ADDRESS: 'localhost',
    ENCRYPTION_KEYS: `2026:${Buffer.alloc(16).toString('base64')}`,
    CHECKOUT_URL: 'javascript:alert(1)',
    LOG_LEVEL: 'loud',
  });
  for (const name of ['DATABASE_URL', 'DATABASE_OWNER_URL', 'CORE_PORT', 'TEMPORAL_ADDRESS', 'ENCRYPTION_KEYS'])
    assert.match(message, name);
  assert.match(message, 'CHECKOUT_URL');
  assert.match(message, 'LOG_LEVEL');
});

test('the message never repeats a secret', () => {
  const message = fault({ ...needed, ENCRYPTION_KEYS: 'id:canary-secret', CORE_PORT: 'x' });
  assert.not.match(message, 'canary-secret');
});

test('what is not set and must be is said to be missing', () => {
  const message = fault({ DATABASE_URL: '' });
  assert.match(message, /DATABASE_URL: is not set/);
  assert.match(message, /ENCRYPTION_KEYS: is not set/);
});

test('encryption keys of the same name are refused', () => {
  assert.match(fault({ ...needed, ENCRYPTION_KEYS: `a:${key},a:${key}` }), /ENCRYPTION_KEYS/);
});

test('a certificate without its key, and files that are not there, are refused', () => {
  assert.match(fault({ ...needed, CORE_TLS_CERT_FILE: '/no/cert.pem' }), /CORE_TLS_KEY_FILE/);
  assert.match(fault({ ...needed, CORE_TLS_CLIENT_CA_FILE: '/no/ca.pem' }), /CORE_TLS_CERT_FILE/);
  const files = { CORE_TLS_CERT_FILE: '/no/cert.pem', CORE_TLS_KEY_FILE: '/no/key.pem' };
  assert.match(fault({ ...needed, ...files }), /CORE_TLS_CERT_FILE: cannot read \/no\/cert.pem/);
});

test('PostgreSQL over TLS is asked for by the URL or by a file; what could be a mistake is refused', () => {
  const url = needed.DATABASE_URL;
  assert.is(loadConfig({ ...needed, DATABASE_URL: `${url}?sslmode=verify-full` }).build.databaseTls, undefined);
  assert.match(fault({ ...needed, DATABASE_URL: `${url}?sslmode=prefer` }), /DATABASE_URL: use sslmode=verify-full/);
  assert.match(fault({ ...needed, DATABASE_URL: `${url}?ssl=true` }), /DATABASE_URL: knows no parameter "ssl"/);
  assert.match(fault({ ...needed, DATABASE_CA_FILE: '/no/ca.pem' }), /DATABASE_CA_FILE: cannot read/);
  const contradiction = { ...needed, DATABASE_URL: `${url}?sslmode=disable`, DATABASE_CA_FILE: '/no/ca.pem' };
  assert.match(fault(contradiction), /DATABASE_CA_FILE: of no use with sslmode=disable/);
});

test.run();
