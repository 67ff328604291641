import { Code } from '@connectrpc/connect';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ScanService } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { assertSaysWhatToDo } from '../support/says-what-to-do.ts';
import { missingKey, refusal, startGateway } from './support.ts';

const test = suite('address limit');
const validKey = `sa_abcdefgh_${'a'.repeat(38)}`;
const unknownKey = `sa_abcdefgh_${'b'.repeat(38)}`;
const maxFailedKeysPerMinute = 5;

async function startFlooded(settings: { trustedProxies?: string[] } = {}) {
  let calls = 0;
  const it = await startGateway(
    (router) =>
      router.service(ScanService, {
        getScan: (_request, { requestHeader }) => {
          calls += 1;
          const authorization = requestHeader.get('authorization');
          if (authorization === null) throw missingKey();
          if (authorization !== `Bearer ${validKey}`) throw refusal(Code.Unauthenticated, 'INVALID_KEY');
          return {};
        },
      }),
    { maxFailedKeysPerMinute, ...settings },
  );
  const send = (headers: Record<string, string> = {}) => fetch(`${it.baseUrl}/api/v1/scans/a`, { headers });
  return { it, send, callsToCore: () => calls };
}

test('refuses requests without a key from an address that sent too many of them, without asking core', async () => {
  const { it, send, callsToCore } = await startFlooded();
  try {
    for (let sent = 0; sent < maxFailedKeysPerMinute; sent += 1) assert.is((await send()).status, 401);
    const before = callsToCore();
    for (const headers of [{}, { authorization: 'Basic YTpi' }, { authorization: 'Bearer nonsense' }]) {
      const answer = await send(headers);
      assert.is(answer.status, 429);
      const { code, ...problem } = (await answer.json()) as {
        code: string;
        detail: string;
        'retry-after': number;
      };
      assertSaysWhatToDo(problem.detail);
      assert.is(code, 'rate_limited');
      assert.is(String(problem['retry-after']), answer.headers.get('retry-after'));
      assert.ok(problem['retry-after'] >= 1 && problem['retry-after'] <= 60);
    }
    assert.is(callsToCore(), before);
  } finally {
    await it.close();
  }
});

test('never refuses a valid key, however many failures its address has', async () => {
  const { it, send } = await startFlooded();
  try {
    for (let sent = 0; sent < maxFailedKeysPerMinute * 3; sent += 1) await send();
    assert.is((await send()).status, 429);
    assert.is((await send({ authorization: `Bearer ${validKey}` })).status, 200);
    assert.is((await send({ authorization: `bearer  ${validKey}` })).status, 401, 'judged by core');
  } finally {
    await it.close();
  }
});

test('counts failures only: valid keys may ask as often as core lets them', async () => {
  const { it, send } = await startFlooded();
  try {
    const authorization = `Bearer ${validKey}`;
    for (let sent = 0; sent < maxFailedKeysPerMinute * 2; sent += 1)
      assert.is((await send({ authorization })).status, 200);
    assert.is((await send()).status, 401);
  } finally {
    await it.close();
  }
});

test('counts keys that core does not know, but leaves the answer to core', async () => {
  const { it, send } = await startFlooded();
  try {
    const authorization = `Bearer ${unknownKey}`;
    for (let sent = 0; sent < maxFailedKeysPerMinute * 2; sent += 1)
      assert.is((await send({ authorization })).status, 401);
    assert.is((await send()).status, 429);
  } finally {
    await it.close();
  }
});

test('counts by the address that a trusted proxy names, and believes no other', async () => {
  const flood = async (trustedProxies: string[]) => {
    const { it, send } = await startFlooded({ trustedProxies });
    try {
      for (let sent = 0; sent < maxFailedKeysPerMinute; sent += 1) await send({ 'x-forwarded-for': '192.0.2.1' });
      return (await send({ 'x-forwarded-for': '192.0.2.2' })).status;
    } finally {
      await it.close();
    }
  };
  assert.is(await flood(['127.0.0.1']), 401);
  assert.is(await flood([]), 429);
});

test.run();
