import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ConfigError } from '../../kit/config.ts';
import { loadConfig } from '../../workflows/config.ts';

const config = suite('worker settings');

const key = 'sa_00000000_example';
const faultOf = (env: Record<string, string>): string => {
  try {
    loadConfig(env);
  } catch (error) {
    assert.instance(error, ConfigError);
    return error instanceof Error ? error.message : '';
  }
  return 'no fault';
};

config('a worker key is enough: it works on all queues at 20 requests a second', () => {
  const loaded = loadConfig({ WORKER_KEY: key });
  assert.equal(loaded.queues, ['workflows', 'standard', 'deep']);
  assert.is(loaded.requestsPerSecond, 20);
  assert.equal(loaded.targetAllow, []);
  assert.is(loaded.dnsServer, undefined);
});

config('queues can be chosen, so that deep scans get machines of their own', () => {
  assert.equal(loadConfig({ WORKER_KEY: key, QUEUES: 'deep' }).queues, ['deep']);
  assert.match(faultOf({ WORKER_KEY: key, QUEUES: 'deep,fast' }), /QUEUES: use some of workflows, standard, deep/);
});

config('keys that DNSSEC is validated by are read when they can be', () => {
  const anchors = '. 20326 8 2 E06D44B80B8F1D39,. 38696 8 2 683D2D0ACB8C9B71';
  const loaded = loadConfig({ WORKER_KEY: key, DNSSEC_ANCHORS: anchors });
  assert.equal([loaded.dnsAnchors?.length, loaded.mailPort], [2, 25]);
  assert.is(loadConfig({ WORKER_KEY: key }).dnsAnchors, undefined);
  for (const bad of ['a key', '. 20326 8 2 E06D,shop. 1 8 2 E06D'])
    assert.match(faultOf({ WORKER_KEY: key, DNSSEC_ANCHORS: bad }), /DNSSEC_ANCHORS: /);
});

config('data on libraries comes from Retire.js, from a mirror, or not at all', () => {
  const urlFor = (value: string) => loadConfig({ WORKER_KEY: key, LIBRARY_DATA_URL: value }).libraryDataUrl;
  assert.match(urlFor('') ?? '', /^https:\/\/raw\.githubusercontent\.com\/RetireJS\//);
  assert.is(urlFor('https://mirror.example/libraries.json'), 'https://mirror.example/libraries.json');
  assert.is(urlFor('off'), undefined);
  assert.match(faultOf({ WORKER_KEY: key, LIBRARY_DATA_URL: 'file:///etc/x' }), /LIBRARY_DATA_URL: use an http/);
});

config('the browser keeps its sandbox unless it is switched off by name', () => {
  assert.is(loadConfig({ WORKER_KEY: key }).browserSandbox, 'on');
  assert.is(loadConfig({ WORKER_KEY: key, BROWSER_SANDBOX: 'off' }).browserSandbox, 'off');
  assert.match(faultOf({ WORKER_KEY: key, BROWSER_SANDBOX: 'no' }), /BROWSER_SANDBOX: use on or off/);
});

config('every bad variable is named at once', () => {
  const fault = faultOf({ TARGET_ALLOW: 'shop.localhost', REQUESTS_PER_SECOND: '0', DNS_SERVER: 'x' });
  for (const name of ['WORKER_KEY', 'TARGET_ALLOW', 'REQUESTS_PER_SECOND', 'DNS_SERVER'])
    assert.match(fault, new RegExp(name));
});

config('the extra authority is read from its file, and a missing file is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'scan-audit-config-'));
  try {
    await writeFile(join(folder, 'ca.pem'), 'PEM');
    assert.is(loadConfig({ WORKER_KEY: key, EXTRA_CA_FILE: join(folder, 'ca.pem') }).extraCa, 'PEM');
    assert.match(
      faultOf({ WORKER_KEY: key, EXTRA_CA_FILE: join(folder, 'none.pem') }),
      /EXTRA_CA_FILE: cannot read .*none\.pem/,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

config('a worker key that is missing is named as such', () => {
  assert.match(faultOf({}), /WORKER_KEY: is not set/);
});

config.run();
