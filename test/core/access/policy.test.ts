import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readPolicies } from '../../../core/access/policy.ts';
import { build } from '../../../core/build.ts';
import { createServices, type Service } from '../../../core/services.ts';
import { Health } from '../../../proto/gen/health/v1/health_pb.ts';
import { silent } from '../support.ts';

const test = suite('access policy');

const descs = createServices().map(({ desc }) => desc);

test('every RPC of the contract says who may call it', () => {
  assert.not.throws(() => readPolicies(descs));
});

test('an RPC without an access option is named', () => {
  assert.throws(() => readPolicies([...descs, Health]), /grpc.health.v1.Health\/Check has no access option/);
});

test('an RPC without an access option stops the start', () => {
  const unguarded: Service = { desc: Health, register: () => {} };
  assert.throws(
    () =>
      build({
        databaseUrl: 'postgres://app@127.0.0.1:9/none',
        temporal: { address: '127.0.0.1:9', namespace: 'default', taskQueuePrefix: 'test' },
        encryptionKeys: [{ id: 'test', key: new Uint8Array(32) }],
        log: silent,
        services: [unguarded],
      }),
    /Nobody knows who may call/,
  );
});

test.run();
