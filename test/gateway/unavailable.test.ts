import type { ConnectRouter } from '@connectrpc/connect';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AccessService } from '../../proto/gen/scanaudit/v1/access_pb.ts';
import { ScanService } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { assertSaysWhatToDo } from '../support/says-what-to-do.ts';
import { startCore, startGateway } from './support.ts';

const test = suite('a core that fails');

type Problem = { code: string; detail: string; 'retry-after'?: number };

test('is answered with 503 and Retry-After when it is gone, in mid-call too', async () => {
  const it = await startGateway((router) =>
    router.service(ScanService, {
      getScan: () => ({}),
      getGate: (_request, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve({}))),
    }),
  );
  try {
    const inHand = fetch(`${it.baseUrl}/api/v1/scans/a/gate`);
    assert.is((await fetch(`${it.baseUrl}/api/v1/scans/a`)).status, 200);
    await it.stopCore();
    for (const answer of [await inHand, await fetch(`${it.baseUrl}/api/v1/scans/a`)]) {
      assert.is(answer.status, 503);
      assert.is(answer.headers.get('retry-after'), '1');
      const problem = (await answer.json()) as Problem;
      assert.is(problem.code, 'unavailable');
      assert.is(problem['retry-after'], 1);
      assertSaysWhatToDo(problem.detail);
      assert.not.match(JSON.stringify(problem), /ECONN|http\/2|127\.0\.0\.1/);
    }
    const malformed = await fetch(`${it.baseUrl}/api/v1/scans?colour=1`);
    assert.is(malformed.status, 503, 'whether the caller may know is not known either');
  } finally {
    await it.close();
  }
});

test('is asked again when it is back, without a restart of the gateway', async () => {
  const routes = (router: ConnectRouter) => router.service(ScanService, { getScan: () => ({}) });
  const it = await startGateway(routes);
  let again: Awaited<ReturnType<typeof startCore>> | undefined;
  try {
    const ask = async () => (await fetch(`${it.baseUrl}/api/v1/scans/a`)).status;
    assert.is(await ask(), 200);
    await it.stopCore();
    assert.is(await ask(), 503);
    again = await startCore(routes, it.corePort);
    assert.is(await ask(), 200);
  } finally {
    await it.close();
    await again?.stop();
  }
});

test('is answered with 504 when it does not answer within its deadline', async () => {
  const it = await startGateway((router) => {
    router.service(ScanService, {
      getScan: (_request, { signal, timeoutMs }) => {
        assert.ok((timeoutMs() ?? 0) <= 10_000);
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve({})));
      },
    });
    router.service(AccessService, { check: () => ({}) });
  });
  try {
    const answer = await fetch(`${it.baseUrl}/api/v1/scans/a`);
    assert.is(answer.status, 504);
    assert.is(((await answer.json()) as Problem).code, 'timeout');
  } finally {
    await it.close();
  }
});

test('gives a gate that is waited for that much more time', async () => {
  const given: number[] = [];
  const it = await startGateway((router) =>
    router.service(ScanService, {
      getGate: (_request, { timeoutMs }) => {
        given.push(Math.round((timeoutMs() ?? 0) / 1000));
        return {};
      },
    }),
  );
  try {
    for (const wait of ['', '?wait=0', '?wait=55', '?wait=56', '?wait=-1']) {
      await fetch(`${it.baseUrl}/api/v1/scans/a/gate${wait}`);
    }
    assert.equal(given, [10, 10, 65, 10, 10]);
  } finally {
    await it.close();
  }
});

test.run();
