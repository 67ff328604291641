import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inOrg } from '../../../core/db/session.ts';
import { DomainEntity } from '../../../core/domains/entities.ts';
import { IdempotencyKeyEntity } from '../../../core/scans/entities.ts';
import { readIdempotencyKey } from '../../../core/scans/idempotency.ts';
import { Depth } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { further } from '../../support/further.ts';
import { completeRun, messages, newOrg, openDatabase, refusal } from './support.ts';

const { em, close } = await openDatabase();

const start = suite('start of a scan');

start('accepts it, reserves its credit and leaves a message to Temporal', async () => {
  const org = await newOrg(em, { credits: 3 });
  const { started, isReplay } = await org.start('WWW.example.com');
  assert.is(started.host, 'www.example.com');
  assert.is(isReplay, false);
  assert.equal(await org.balance(), { available: 2, reserved: 1 });
  assert.equal(await messages(em, org.orgId), [`start ${started.runId}`]);
  const row = await org.row(started.runId);
  assert.is(row.status, 'queued');
  assert.is(row.url, 'https://www.example.com/');
  assert.is(row.schemeGiven, false);
  assert.is(row.depth, 'standard');
  assert.is(row.credits, 1);
  assert.is(row.domain, 'example.com');
  assert.ok(Math.abs(row.createdAt.getTime() - Date.now()) < 10_000);
});

start('a deep one costs five', async () => {
  const org = await newOrg(em, { credits: 5 });
  await org.start('https://example.com', Depth.DEEP);
  assert.equal(await org.balance(), { available: 0, reserved: 5 });
});

start('is refused for a domain of nobody, of another org and of the past', async () => {
  const org = await newOrg(em);
  await newOrg(em, { domain: 'other.example' });
  await refusal(org.start('https://other.example'), 'DOMAIN_NOT_VERIFIED');
  const { details } = await refusal(org.start('https://a.nobody.example'), 'DOMAIN_NOT_VERIFIED');
  assert.is(details.ownership?.domain, 'nobody.example');
  await inOrg(em, org.orgId, (tx) =>
    tx.nativeUpdate(DomainEntity, { domain: 'example.com' }, { withdrawnAt: new Date() }),
  );
  await refusal(org.start(), 'DOMAIN_NOT_VERIFIED');
  assert.equal(await org.balance(), { available: 100, reserved: 0 });
});

start('is refused without credit, says what is missing, and leaves nothing behind', async () => {
  const org = await newOrg(em, { credits: 4 });
  const { details } = await refusal(org.start('example.com', Depth.DEEP), 'OUT_OF_CREDIT');
  assert.is(details.checkout?.creditsRequired, 5);
  assert.is(details.checkout?.creditsAvailable, 4);
  assert.equal(await org.balance(), { available: 4, reserved: 0 });
  assert.equal(await messages(em, org.orgId), []);
});

start('refuses the URL before the domain, the domain before deep, and deep before credit', async () => {
  const org = await newOrg(em, { credits: 0, deep: false });
  await refusal(org.start('ftp://nobody.example', Depth.DEEP), 'INVALID_URL');
  await refusal(org.start('nobody.example', Depth.DEEP), 'DOMAIN_NOT_VERIFIED');
  const { details } = await refusal(org.start('example.com', Depth.DEEP), 'DEEP_NOT_ENTITLED');
  assert.equal(details.metadata, { requiredEntitlement: 'deep' });
  await refusal(org.start('example.com'), 'OUT_OF_CREDIT');
});

start('60 at once on 10 credits: exactly 10 are accepted', async () => {
  const org = await newOrg(em, { credits: 10 });
  const hosts = Array.from({ length: 60 }, (_, index) => `h${index % 7}.example.com`);
  const results = await Promise.allSettled(hosts.map((host) => org.start(host)));
  assert.is(results.filter(({ status }) => status === 'fulfilled').length, 10);
  for (const result of results)
    if (result.status === 'rejected') assert.is(result.reason.reason, 'OUT_OF_CREDIT', String(result.reason));
  assert.equal(await org.balance(), { available: 0, reserved: 10 });
});

start('one scan of a host at a time: the second waits, other hosts and orgs do not', async () => {
  const org = await newOrg(em);
  const other = await newOrg(em);
  const first = await org.startRun('https://a.example.com');
  const second = await org.startRun('http://a.example.com:8080');
  const third = await org.startRun('https://b.example.com');
  const theirs = await other.startRun('https://a.example.com');
  assert.equal(await messages(em, org.orgId), [`start ${first}`, `start ${third}`]);
  assert.equal(await messages(em, other.orgId), [`start ${theirs}`]);
  assert.is((await org.row(second)).dispatchedAt, null);
  await completeRun(em, first);
  assert.ok((await messages(em, org.orgId)).includes(`start ${second}`));
});

further(start)(
  '20 at once for one host: one is dispatched, and each end dispatches the next, oldest first',
  async () => {
    const org = await newOrg(em);
    const runs = await Promise.all(Array.from({ length: 20 }, () => org.startRun()));
    const order: string[] = [];
    for (const _ of runs) {
      const rows = await Promise.all(runs.map((runId) => org.row(runId)));
      const dispatched = rows.filter((row) => row.dispatchedAt && !row.finishedAt);
      assert.is(dispatched.length, 1);
      order.push(await completeRun(em, dispatched[0]?.runId ?? ''));
    }
    assert.equal(order.slice(1), order.slice(1).sort());
  },
);

start.run();

const idempotency = suite('idempotency key');

idempotency('the same key and request is answered with the same scan', async () => {
  const org = await newOrg(em);
  const first = await org.start('example.com', Depth.DEEP, 'key');
  const again = await org.start('example.com', Depth.DEEP, 'key');
  assert.equal(again, { started: first.started, isReplay: true });
  assert.equal(await org.balance(), { available: 95, reserved: 5 });
});

idempotency('50 at once start one scan and get the same answer', async () => {
  const org = await newOrg(em);
  const answers = await Promise.all(Array.from({ length: 50 }, () => org.start('example.com', Depth.DEEP, 'key')));
  assert.is(new Set(answers.map(({ started }) => started.runId)).size, 1);
  assert.is(answers.filter(({ isReplay }) => !isReplay).length, 1);
  assert.equal(await org.balance(), { available: 95, reserved: 5 });
});

idempotency('with another request it is refused', async () => {
  const org = await newOrg(em);
  await org.start('example.com', Depth.STANDARD, 'key');
  await refusal(org.start('example.com', Depth.DEEP, 'key'), 'IDEMPOTENCY_KEY_REUSED');
  await refusal(org.start('www.example.com', Depth.STANDARD, 'key'), 'IDEMPOTENCY_KEY_REUSED');
});

idempotency('belongs to its org', async () => {
  const [one, two] = [await newOrg(em), await newOrg(em)];
  const first = await one.startRun('example.com', Depth.DEEP, 'key');
  const second = await two.start('example.com', Depth.STANDARD, 'key');
  assert.is(second.isReplay, false);
  assert.is.not(second.started.runId, first);
});

idempotency('a refusal is not stored: the same request may succeed later', async () => {
  const org = await newOrg(em, { credits: 0, domain: 'late.example' });
  await refusal(org.start('late.example', Depth.STANDARD, 'key'), 'OUT_OF_CREDIT');
  await refusal(org.start('early.example', Depth.STANDARD, 'key'), 'DOMAIN_NOT_VERIFIED');
  const stored = await inOrg(em, org.orgId, (tx) => tx.count(IdempotencyKeyEntity, { orgId: org.orgId }));
  assert.is(stored, 0);
});

idempotency('a replay comes before the refusals of a start', async () => {
  const org = await newOrg(em, { credits: 1 });
  const first = await org.start('example.com', Depth.STANDARD, 'key');
  await inOrg(em, org.orgId, (tx) =>
    tx.nativeUpdate(DomainEntity, { domain: 'example.com' }, { withdrawnAt: new Date() }),
  );
  assert.equal((await org.start('example.com', Depth.STANDARD, 'key')).started, first.started);
  await refusal(org.start('ftp://example.com', Depth.STANDARD, 'key'), 'INVALID_URL');
});

idempotency('is forgotten after a day', async () => {
  const org = await newOrg(em);
  const first = await org.startRun('example.com', Depth.STANDARD, 'key');
  const expiresAt = new Date(Date.now() - 1);
  await inOrg(em, org.orgId, (tx) => tx.nativeUpdate(IdempotencyKeyEntity, { key: 'key' }, { expiresAt }));
  const second = await org.start('example.com', Depth.DEEP, 'key');
  assert.is(second.isReplay, false);
  assert.is.not(second.started.runId, first);
  assert.is((await org.start('example.com', Depth.DEEP, 'key')).started.runId, second.started.runId);
});

idempotency('is refused while a request with it has not ended for long', async () => {
  const org = await newOrg(em);
  await inOrg(em, org.orgId, async (tx) => {
    await tx.execute('select pg_advisory_xact_lock(hashtextextended(?, 1))', [`${org.orgId}/key`]);
    await refusal(org.start('example.com', Depth.STANDARD, 'key'), 'IDEMPOTENCY_KEY_IN_FLIGHT');
  });
  assert.is((await org.start('example.com', Depth.STANDARD, 'key')).isReplay, false);
});

idempotency('has 1 to 255 printable characters', () => {
  assert.is(readIdempotencyKey(null), undefined);
  assert.is(readIdempotencyKey('a'.repeat(255)), 'a'.repeat(255));
  for (const header of ['', ' ', 'a'.repeat(256), 'a\tb', 'ü'])
    assert.throws(() => readIdempotencyKey(header), /Idempotency-Key/, JSON.stringify(header));
});

idempotency.after(close);
idempotency.run();
