import { Code, ConnectError } from '@connectrpc/connect';
import * as grpc from '@grpc/grpc-js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRpcServer } from '../../core/server.ts';
import { rpcClients } from '../../kit/rpc.ts';
import { ErrorInfoSchema } from '../../proto/gen/google/rpc/error_details_pb.ts';
import { Health } from '../../proto/gen/health/v1/health_pb.ts';

const messages = [
  'POST /api/v1/domains {"domain": "example.com"}, then ask again: $5 & more, #1 = +1; who? me@example.com',
  'already encoded: %3A %2F %25 100 %',
  'not ASCII: ‹Straße› 日本 😀',
  'two\nlines\tand \u007f',
];

const test = suite('messages of errors over gRPC', { coreUrl: '', close: async () => {} });
test.before(async (context) => {
  const server = createRpcServer((router) =>
    router.service(Health, {
      check: ({ service }) => {
        const details = [{ desc: ErrorInfoSchema, value: { reason: 'TEST' } }];
        throw new ConnectError(messages[Number(service)] ?? '', Code.NotFound, undefined, details);
      },
    }),
  );
  context.coreUrl = `http://127.0.0.1:${await server.listen('127.0.0.1', 0)}`;
  context.close = () => server.close();
});
test.after(({ close }) => close());

for (const [index, message] of messages.entries()) {
  test(`@grpc/grpc-js reads what was said: ${JSON.stringify(message)}`, async ({ coreUrl }) => {
    const client = new grpc.Client(new URL(coreUrl).host, grpc.credentials.createInsecure());
    const service = Buffer.from(String(index));
    const request = Buffer.concat([Buffer.from([0x0a, service.length]), service]);
    const same = (bytes: Buffer) => bytes;
    const error = await new Promise<grpc.ServiceError | null>((done) => {
      client.makeUnaryRequest('/grpc.health.v1.Health/Check', same, same, request, done);
    });
    client.close();
    assert.is(error?.details, message);
    assert.is(error?.code, grpc.status.NOT_FOUND);
    assert.is(error?.metadata.get('grpc-status-details-bin').length, 1);
  });

  test(`Connect's own client does so too: ${JSON.stringify(message)}`, async ({ coreUrl }) => {
    const failed = await rpcClients({ baseUrl: coreUrl })(Health)
      .check({ service: String(index) })
      .then(() => undefined, ConnectError.from);
    assert.is(failed?.rawMessage, message);
  });
}

test.run();
