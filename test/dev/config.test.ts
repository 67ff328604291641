import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadStackConfig, projectFolder } from '../../dev/config.ts';
import { ConfigError } from '../../kit/config.ts';

const Config = suite("the stack's settings");

Config('have a default each', () => {
  const { home, ports, database, temporal, temporalInMemory } = loadStackConfig({});
  assert.is(home, `${projectFolder}/.data`);
  assert.equal(ports, { gateway: 8080, core: 7300, postgres: 0, temporal: 0, demo: 0, demoDns: 0, listener: 0 });
  assert.equal([database, temporal, temporalInMemory], [undefined, undefined, false]);
});

Config('take servers of the user', () => {
  const { database, temporal } = loadStackConfig({
    DATABASE_URL: 'postgres://app@db/scans',
    DATABASE_OWNER_URL: 'postgresql://owner@db/scans',
    TEMPORAL_ADDRESS: 'temporal:7233',
  });
  assert.equal(database, { url: 'postgres://app@db/scans', ownerUrl: 'postgresql://owner@db/scans' });
  assert.equal(temporal, { address: 'temporal:7233', namespace: 'default' });
});

for (const [what, env, message] of [
  ['a port that is none', { GATEWAY_PORT: '70000' }, 'GATEWAY_PORT'],
  ['one database URL without the other', { DATABASE_URL: 'postgres://app@db/scans' }, 'set both or none'],
  [
    'a database that is not PostgreSQL',
    { DATABASE_URL: 'mysql://x', DATABASE_OWNER_URL: 'mysql://x' },
    'DATABASE_URL: use postgresql://',
  ],
  ['an address without a port', { TEMPORAL_ADDRESS: 'temporal' }, 'TEMPORAL_ADDRESS: use host:port'],
  ['a store that there is not', { TEMPORAL_STORE: 'disk' }, 'TEMPORAL_STORE: use file or memory'],
] as const) {
  Config(`refuse ${what}`, () => {
    assert.throws(
      () => loadStackConfig(env),
      (error: unknown) => error instanceof ConfigError && error.message.includes(message),
    );
  });
}

Config.run();
