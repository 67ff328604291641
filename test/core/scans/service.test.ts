import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Code, ConnectError } from '@connectrpc/connect';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { build } from '../../../core/build.ts';
import { rpcClients } from '../../../kit/rpc.ts';
import { ErrorInfoSchema } from '../../../proto/gen/google/rpc/error_details_pb.ts';
import { CreditService } from '../../../proto/gen/scanaudit/v1/credits_pb.ts';
import { CheckoutHintSchema, OwnershipRequiredSchema } from '../../../proto/gen/scanaudit/v1/errors_pb.ts';
import { OrgService } from '../../../proto/gen/scanaudit/v1/orgs_pb.ts';
import { Depth, ScanService, ScanStatus, Verdict } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { further } from '../../support/further.ts';
import { approve, isRefused, newOrg, refused, silent, startCore } from '../support.ts';

const core = await startCore();
const twin = build({
  databaseUrl: core.database.appUrl,
  temporal: { address: '127.0.0.1:9', namespace: 'default', taskQueuePrefix: 'twin' },
  encryptionKeys: [{ id: 'test', key: randomBytes(32) }],
  log: silent,
});
const twinUrl = `http://127.0.0.1:${await twin.listen('127.0.0.1', 0)}`;

async function customer(credits = 100) {
  const { orgId, key } = await newOrg(core);
  await approve(core, orgId, 'example.com', true);
  if (credits > 0)
    await core.operator(CreditService).grantCredits({ orgId, amount: credits, reason: 'test', idempotencyKey: 'a' });
  const here = core.as(key)(ScanService);
  const there = rpcClients({ baseUrl: twinUrl, key })(ScanService);
  const credit = async () => (await core.as(key)(OrgService).getOrg({})).credit;
  return { orgId, key, here, there, credit };
}

const reasonOf = (error: unknown) => ConnectError.from(error).findDetails(ErrorInfoSchema)[0]?.reason ?? String(error);

/** As a client does that comes back when the server is too busy to decide: nothing of such a call has happened. */
async function untilAnswered(call: () => Promise<unknown>): Promise<string> {
  for (;;) {
    const reason = await call().then(() => 'OK', reasonOf);
    if (reason !== 'UNAVAILABLE') return reason;
    await sleep(1_000);
  }
}

const service = suite('ScanService');

service('starts a scan, shows it, lists it and cancels it while Temporal is down', async () => {
  const { here } = await customer();
  const { runId, host } = await here.startScan({ url: 'WWW.Example.com', depth: Depth.DEEP });
  assert.is(host, 'www.example.com');
  const scan = await here.getScan({ runId });
  assert.equal(
    [scan.status, scan.depth, scan.url, scan.phase, scan.credits, scan.coverage?.complete],
    [ScanStatus.QUEUED, Depth.DEEP, 'https://www.example.com/', 'queued', 5, false],
  );
  assert.equal((await here.listScans({})).items, [scan]);
  assert.is((await here.getGate({ runId })).verdict, Verdict.PENDING);
  assert.is((await here.cancelScan({ runId })).status, ScanStatus.CANCELED);
});

service('says what to prove, and what to buy', async () => {
  const { here } = await customer(2);
  const unproven = await refused(here.startScan({ url: 'https://nobody.example' }));
  assert.is(unproven.code, Code.PermissionDenied);
  assert.is(unproven.findDetails(OwnershipRequiredSchema)[0]?.domain, 'nobody.example');
  const broke = await refused(here.startScan({ url: 'example.com', depth: Depth.DEEP }));
  assert.is(broke.code, Code.FailedPrecondition);
  const [hint] = broke.findDetails(CheckoutHintSchema);
  assert.equal([hint?.creditsRequired, hint?.creditsAvailable], [5, 2]);
});

further(service)('one idempotency key, 100 times at once over two servers: one scan, the same answers', async () => {
  const { here, there, credit } = await customer();
  const headers = { 'idempotency-key': 'once' };
  const answers = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      let isReplay = false;
      const onHeader = (header: Headers) => {
        isReplay = header.get('idempotency-replayed') === 'true';
      };
      const { runId } = await (index % 2 ? here : there).startScan({ url: 'example.com' }, { headers, onHeader });
      return { runId, isReplay };
    }),
  );
  assert.is(new Set(answers.map(({ runId }) => runId)).size, 1);
  assert.is(answers.filter(({ isReplay }) => !isReplay).length, 1);
  const left = await credit();
  assert.equal([left?.available, left?.reserved], [99, 1]);
});

service('an answer that was lost on its way is given again by another server', async () => {
  const { here, there, credit } = await customer();
  const headers = { 'idempotency-key': 'lost' };
  // The client goes away as soon as the request is sent; the server may or may not finish it.
  await here.startScan({ url: 'example.com' }, { headers, signal: AbortSignal.timeout(5) }).catch(() => {});
  const first = await there.startScan({ url: 'example.com' }, { headers });
  const second = await here.startScan({ url: 'example.com' }, { headers });
  assert.is(second.runId, first.runId);
  assert.is((await credit())?.available, 99);
});

further(service)('200 starts at once on 20 credits over two servers: exactly 20 are accepted', async () => {
  const { here, there, credit } = await customer(20);
  const reasons = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      untilAnswered(() =>
        (index % 2 ? here : there).startScan({ url: `h${index % 50}.example.com` }, { timeoutMs: 60_000 }),
      ),
    ),
  );
  assert.equal([...new Set(reasons)].sort(), ['OK', 'OUT_OF_CREDIT']);
  assert.is(reasons.filter((reason) => reason === 'OK').length, 20);
  const left = await credit();
  assert.equal([left?.available, left?.reserved], [0, 20]);
});

service('every RPC answers for a foreign scan as for an unknown one', async () => {
  const [mine, theirs] = [await customer(), await customer()];
  const { runId: foreign } = await theirs.here.startScan({ url: 'example.com' });
  const { here } = mine;
  const calls = [here.getScan, here.cancelScan, here.listFindings, here.getReport, here.getGate];
  for (const call of calls) {
    const seen = [];
    for (const runId of [foreign, randomUUID(), 'no-id']) {
      const { code, rawMessage, reason } = await refused(call({ runId }));
      seen.push(JSON.stringify([code, rawMessage, reason]));
    }
    assert.is(new Set(seen).size, 1);
    assert.match(seen[0] ?? '', /NOT_FOUND/);
  }
});

service('refuses a worker key, and an idempotency key that is none', async () => {
  const { here } = await customer();
  const headers = { 'idempotency-key': 'x'.repeat(256) };
  await isRefused(here.startScan({ url: 'example.com' }, { headers }), 'INVALID_PARAMETER');
  await isRefused(core.operator(ScanService).listScans({}), 'WRONG_KEY_KIND');
});

service('a draining server answers a waiting gate with what it knows', async () => {
  const { key } = await customer();
  const leaving = build({
    databaseUrl: core.database.appUrl,
    temporal: { address: '127.0.0.1:9', namespace: 'default', taskQueuePrefix: 'leaving' },
    encryptionKeys: [{ id: 'test', key: randomBytes(32) }],
    log: silent,
  });
  const baseUrl = `http://127.0.0.1:${await leaving.listen('127.0.0.1', 0)}`;
  const client = rpcClients({ baseUrl, key, timeoutMs: 60_000 })(ScanService);
  const { runId } = await client.startScan({ url: 'example.com' });
  const answer = client.getGate({ runId, wait: 50 }).catch((error: unknown) => error);
  await client.getScan({ runId });
  const startedAt = performance.now();
  await leaving.close();
  await answer;
  assert.ok(performance.now() - startedAt < 9_000);
});

service.after(async () => {
  await twin.close();
  await core.close();
});
service.run();
