import { constants, createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Code, ConnectError } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rpcClients } from '../../kit/rpc.ts';
import { RunService } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { ScanService } from '../../proto/gen/scanaudit/v1/scans_pb.ts';

const test = suite('clients of core');

/** A server that refuses its first streams as one does that is about to end. */
async function startRefusing(refusals: number) {
  const calls: string[] = [];
  let refused = 0;
  const handler = connectNodeAdapter({
    routes: (router) =>
      router.service(ScanService, {
        getScan: ({ runId }) => {
          calls.push(runId);
          return { runId };
        },
      }),
  });
  const server = createServer();
  server.on('stream', (stream: ServerHttp2Stream) => {
    if (refused < refusals) {
      refused += 1;
      stream.close(constants.NGHTTP2_REFUSED_STREAM);
    }
  });
  server.on('request', (request, response) => {
    if (!request.stream.closed) handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const clients = rpcClients({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  return { clients, calls, refused: () => refused, close: () => server.close() };
}

test('a call that was refused before anybody looked at it is made again, once it is taken', async () => {
  const server = await startRefusing(2);
  try {
    assert.is((await server.clients(ScanService).getScan({ runId: 'a' })).runId, 'a');
    assert.equal([server.refused(), server.calls], [2, ['a']]);
  } finally {
    server.close();
  }
});

test('a server that refuses everything cannot be used now', async () => {
  const server = await startRefusing(Number.POSITIVE_INFINITY);
  try {
    const error = ConnectError.from(
      await server
        .clients(ScanService)
        .getScan({})
        .catch((failure: unknown) => failure),
    );
    assert.is(error.code, Code.Unavailable);
    assert.equal([server.refused(), server.calls], [5, []]);
  } finally {
    server.close();
  }
});

test('a stream that was refused is left to its caller, who has what it was made of', async () => {
  const server = await startRefusing(1);
  try {
    const stream = async function* () {
      yield { runId: 'a', name: 'x' };
    };
    const failure = await server
      .clients(RunService)
      .putArtifact(stream())
      .catch((error: unknown) => error);
    assert.equal([ConnectError.from(failure).code, server.refused()], [Code.Unavailable, 1]);
  } finally {
    server.close();
  }
});

test.run();
