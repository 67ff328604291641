import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inOrg } from '../../../core/db/session.ts';
import { requireDomain } from '../../../core/domains/right.ts';
import { CreditService } from '../../../proto/gen/scanaudit/v1/credits_pb.ts';
import { DomainService } from '../../../proto/gen/scanaudit/v1/domains_pb.ts';
import { KeyService } from '../../../proto/gen/scanaudit/v1/keys_pb.ts';
import { KeyKind } from '../../../proto/gen/scanaudit/v1/options_pb.ts';
import { OwnershipService, ProofOutcome } from '../../../proto/gen/scanaudit/v1/ownership_pb.ts';
import { RunService } from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import { ScanService } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { untilOneWaits } from '../../support/lock-waits.ts';
import { testTemporal } from '../../support/servers.ts';
import { approve, isRefused, newOrg, refused, startCore, type TestCore } from '../support.ts';

let core: TestCore;
let down: TestCore;
let workerKey: string;
const test = suite('ownership');
test.before(async () => {
  core = await startCore({ temporalAddress: (await testTemporal()).address });
  down = await startCore();
  workerKey = (await core.operator(KeyService).issueKey({ kind: KeyKind.WORKER, name: 'test' })).secret;
});
test.after(async () => {
  await core.close();
  await down.close();
});

const domains = (key: string) => core.as(key)(DomainService);
const worker = () => core.as(workerKey)(OwnershipService);
const inDatabase = <T extends object>(orgId: string, sql: string, params: unknown[] = []) =>
  inOrg(core.program.core.em, orgId, (tx) => tx.execute<T[]>(sql, params));

/** Ids of the checks of an org that no worker has made. */
async function pending(orgId: string): Promise<string[]> {
  const rows = await inDatabase<{ id: string }>(
    orgId,
    "select id from domain_checks where state = 'pending' order by id",
  );
  return rows.map(({ id }) => id);
}

type Sighting = { outcome: ProofOutcome; method?: string; detail?: string };
const { FOUND, MISSING, FAILED } = ProofOutcome;

/** Asks for a verification, and sees as a worker what the test says. */
async function verify({ key, orgId }: Org, domain: string, sighting: Sighting, method = '') {
  const asked = domains(key).verifyDomain({ domain, method });
  const [checkId] = await until(
    () => pending(orgId),
    (ids) => ids.length > 0,
  );
  const check = await worker().getCheck({ checkId: checkId ?? '' });
  await worker().recordCheck({ checkId: checkId ?? '', method: 'dns-txt', ...sighting });
  return { check, answer: await asked };
}

async function until<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    await sleep(20);
  }
}

type Org = Awaited<ReturnType<typeof newOrg>>;

async function provenOrg(domain = 'example.com', method = 'dns-txt'): Promise<Org> {
  const org = await newOrg(core);
  await domains(org.key).registerDomain({ domain });
  await verify(org, domain, { outcome: FOUND, method });
  return org;
}

const right = ({ orgId }: Org, host: string) =>
  inOrg(core.program.core.em, orgId, (tx) => requireDomain(tx, orgId, host)).then(
    ({ domain }) => domain,
    () => undefined,
  );

test('a challenge says what to publish in each way, once and again', async () => {
  const { key } = await newOrg(core);
  const { challenge, status, domain } = await domains(key).registerDomain({ domain: 'Bücher.Example.COM.' });
  assert.equal([status, domain], ['pending', 'xn--bcher-kva.example.com']);
  const { token = '' } = challenge ?? {};
  assert.match(token, /^[0-9a-f]{40}$/);
  assert.is(challenge?.dnsTxt?.name, '_scan-audit.xn--bcher-kva.example.com');
  assert.is(challenge?.dnsTxt?.value, `scan-audit-verification=${token}`);
  assert.is(challenge?.httpFile?.content, `scan-audit-verification=${token}`);
  assert.is(challenge?.metaTag?.html, `<meta name="scan-audit-verification" content="${token}">`);
  const days = (Number(challenge?.expiresAt?.seconds) * 1_000 - Date.now()) / 86_400_000;
  assert.ok(days > 6.99 && days <= 7.01, String(days));
  const again = await domains(key).registerDomain({ domain: 'xn--bcher-kva.example.com' });
  assert.is(again.challenge?.token, token);
});

test('of many calls at once one makes the challenge, and all answer it', async () => {
  const { key } = await newOrg(core);
  const made = await Promise.all(
    Array.from({ length: 10 }, () => domains(key).registerDomain({ domain: 'example.com' })),
  );
  assert.is(new Set(made.map(({ challenge }) => challenge?.token)).size, 1);
});

test('what is found proves the domain, and by DNS everything below it', async () => {
  const org = await newOrg(core);
  await domains(org.key).registerDomain({ domain: 'example.com' });
  assert.is(await right(org, 'example.com'), undefined);
  const { check, answer } = await verify(org, 'example.com', { outcome: FOUND });
  assert.equal([check.domain, check.method, check.token.length], ['example.com', '', 40]);
  assert.equal([answer.verified, answer.outcome, answer.domain?.status], [true, 'found', 'verified']);
  assert.is(answer.domain?.challenge, undefined);
  assert.equal([await right(org, 'example.com'), await right(org, 'a.b.example.com')], ['example.com', 'example.com']);
});

test('a file or a meta element proves that host only', async () => {
  for (const method of ['http-file', 'meta-tag']) {
    const org = await provenOrg('example.com', method);
    assert.equal(
      [await right(org, 'example.com'), await right(org, 'www.example.com')],
      ['example.com', undefined],
      method,
    );
  }
});

test('what is missing proves nothing, and the answer says what was seen', async () => {
  const org = await newOrg(core);
  await domains(org.key).registerDomain({ domain: 'example.com' });
  for (const [outcome, word] of [
    [MISSING, 'missing'],
    [FAILED, 'failed'],
  ] as const) {
    const { answer } = await verify(org, 'example.com', { outcome, detail: 'The record is another one.' });
    assert.equal([answer.verified, answer.outcome, answer.detail], [false, word, 'The record is another one.']);
    assert.is(answer.domain?.status, 'pending');
  }
  assert.is(await right(org, 'example.com'), undefined);
});

test('a token proves once, for its own org, and not after its end', async () => {
  const [org, other] = [await newOrg(core), await newOrg(core)];
  const mine = await domains(org.key).registerDomain({ domain: 'example.com' });
  const theirs = await domains(other.key).registerDomain({ domain: 'example.com' });
  assert.is.not(mine.challenge?.token, theirs.challenge?.token);
  const { check } = await verify(org, 'example.com', { outcome: FOUND });
  assert.is(check.token, mine.challenge?.token);
  assert.is(await right(other, 'example.com'), undefined, 'the other org has proven nothing');
  await isRefused(domains(org.key).verifyDomain({ domain: 'example.com' }), 'NOT_FOUND');
  const asked = domains(other.key).verifyDomain({ domain: 'example.com' });
  const [checkId = ''] = await until(
    () => pending(other.orgId),
    (ids) => ids.length > 0,
  );
  await inDatabase(other.orgId, "update domain_challenges set expires_at = now() - interval '1 second'");
  await worker().recordCheck({ checkId, outcome: FOUND, method: 'dns-txt' });
  assert.is((await asked).outcome, 'missing');
  assert.is(await right(other, 'example.com'), undefined);
  await isRefused(domains(other.key).verifyDomain({ domain: 'example.com' }), 'CHALLENGE_EXPIRED');
});

test('two orgs may each prove the same domain', async () => {
  const [a, b] = [await provenOrg(), await provenOrg()];
  assert.equal([await right(a, 'example.com'), await right(b, 'example.com')], ['example.com', 'example.com']);
});

test('suffixes, addresses and names inside a network are refused, and nothing is started for a domain nobody named', async () => {
  const { key } = await newOrg(core);
  for (const domain of ['co.uk', 'github.io', 'com', '192.0.2.1', '[2001:db8::1]', 'intranet', 'not a name', ''])
    await isRefused(domains(key).registerDomain({ domain }), 'INVALID_PARAMETER');
  await isRefused(domains(key).verifyDomain({ domain: 'example.com' }), 'NOT_FOUND');
  await domains(key).registerDomain({ domain: 'example.com' });
  await isRefused(domains(key).verifyDomain({ domain: 'example.com', method: 'carrier-pigeon' }), 'INVALID_PARAMETER');
});

test('a domain that is given back while it is looked at is no longer known, and the call says so at once', async () => {
  const org = await newOrg(core);
  await domains(org.key).registerDomain({ domain: 'example.com' });
  const asked = refused(domains(org.key).verifyDomain({ domain: 'example.com' }));
  await until(
    () => pending(org.orgId),
    (ids) => ids.length > 0,
  );
  await domains(org.key).deleteDomain({ domain: 'example.com' });
  assert.is((await asked).reason, 'NOT_FOUND');
});

test('a domain is looked at five times an hour, whoever asks at once', async () => {
  const org = await newOrg(core);
  await domains(org.key).registerDomain({ domain: 'example.com' });
  const asked = Array.from({ length: 8 }, () =>
    domains(org.key)
      .verifyDomain({ domain: 'example.com' })
      .then(
        () => 'looked',
        (error: unknown) => error,
      ),
  );
  const ids = await until(
    () => pending(org.orgId),
    (all) => all.length === 5,
  );
  for (const checkId of ids) await worker().recordCheck({ checkId, outcome: MISSING });
  const outcomes = await Promise.all(asked);
  assert.is(outcomes.filter((outcome) => outcome === 'looked').length, 5);
  const error = await refused(domains(org.key).verifyDomain({ domain: 'example.com' }));
  assert.is(error.reason, 'RATE_LIMITED');
  assert.ok(error.retryMs > 3_500_000 && error.retryMs <= 3_600_000, String(error.retryMs));
});

test('says that it cannot be looked now when Temporal is down, and counts no look', async () => {
  const { key, orgId } = await newOrg(down);
  const client = down.as(key)(DomainService);
  await client.registerDomain({ domain: 'example.com' });
  await isRefused(client.verifyDomain({ domain: 'example.com' }, { timeoutMs: 30_000 }), 'UNAVAILABLE');
  const rows = await inOrg(down.program.core.em, orgId, (tx) => tx.execute('select id from domain_checks'));
  assert.equal(rows, []);
});

test('a domain that is given back ends the right, its logins and its challenge', async () => {
  const org = await provenOrg();
  await domains(org.key).putLogin({
    domain: 'example.com',
    name: 'a',
    login: { kind: { case: 'bearer', value: 'x' } },
  });
  await domains(org.key).deleteDomain({ domain: 'example.com' });
  assert.is(await right(org, 'example.com'), undefined);
  assert.is((await domains(org.key).getDomain({ domain: 'example.com' })).status, 'withdrawn');
  await isRefused(domains(org.key).getLogin({ domain: 'example.com', name: 'a' }), 'NOT_FOUND');
  await isRefused(domains(org.key).deleteDomain({ domain: 'example.com' }), 'NOT_FOUND');
  assert.is((await domains(org.key).registerDomain({ domain: 'example.com' })).status, 'pending');
});

test('the list has what is proven, what is to be proven and what was lost', async () => {
  const org = await provenOrg();
  await domains(org.key).registerDomain({ domain: 'a.example' });
  const { items } = await domains(org.key).listDomains({});
  assert.equal(
    items.map(({ domain, status }) => `${domain} ${status}`),
    ['a.example pending', 'example.com verified'],
  );
  await approve(core, org.orgId, 'staff.example');
  await isRefused(domains(org.key).registerDomain({ domain: 'staff.example' }), 'ALREADY_EXISTS');
});

/** The proof was looked at last this long ago. */
const age = (orgId: string, hours: number) =>
  inDatabase(orgId, 'update domains set checked_at = now() - make_interval(hours => ?)', [hours]);

test('a proof is looked at again daily, and when it is gone the right ends and says so', async () => {
  const [kept, lost, young, broken] = [await provenOrg(), await provenOrg(), await provenOrg(), await provenOrg()];
  for (const { orgId } of [kept, lost, broken]) await age(orgId, 25);
  await age(young.orgId, 23);
  const { checkIds } = await worker().listDueChecks({ limit: 100 });
  assert.is(checkIds.length, 3);
  assert.equal((await worker().listDueChecks({ limit: 100 })).checkIds, [], 'each is proposed once a day');
  const see = async ({ orgId }: Org, sighting: Sighting) => {
    const [checkId = ''] = await pending(orgId);
    return worker().recordCheck({ checkId, method: 'dns-txt', ...sighting });
  };
  await see(kept, { outcome: FOUND });
  await see(lost, { outcome: MISSING, detail: 'There is no _scan-audit.example.com.' });
  await see(broken, { outcome: FAILED, detail: 'The name servers answered SERVFAIL.' });
  assert.equal(
    [await right(kept, 'example.com'), await right(lost, 'example.com'), await right(broken, 'example.com')],
    ['example.com', undefined, 'example.com'],
  );
  const gone = await domains(lost.key).getDomain({ domain: 'example.com' });
  assert.equal([gone.status, gone.lostReason], ['lost', 'There is no _scan-audit.example.com.']);
  assert.equal((await worker().listDueChecks({ limit: 100 })).checkIds, []);
});

test('a domain that staff approve in the moment its proof is seen to be gone stays the org’s', async () => {
  const org = await provenOrg();
  await age(org.orgId, 25);
  await worker().listDueChecks({ limit: 100 });
  const [checkId = ''] = await pending(org.orgId);
  const { recorded } = await inOrg(core.program.core.em, org.orgId, async (tx) => {
    await tx.execute("update domains set method = 'operator', proof_token = null");
    const call = worker().recordCheck({ checkId, outcome: MISSING, method: 'dns-txt' });
    call.catch(() => {});
    await untilOneWaits(tx);
    return { recorded: call };
  });
  await recorded;
  assert.is(await right(org, 'example.com'), 'example.com');
});

test('a scan has to look first when the proof is older than a day, and not when staff have approved', async () => {
  const org = await provenOrg();
  const staffs = await newOrg(core);
  await approve(core, staffs.orgId, 'example.com');
  const required = async ({ key, orgId }: Org) => {
    await core
      .operator(CreditService)
      .grantCredits({ orgId, amount: 5, reason: 'x', idempotencyKey: `${Math.random()}` });
    const { runId } = await core.as(key)(ScanService).startScan({ url: 'example.com' });
    await until(
      () =>
        core
          .as(workerKey)(RunService)
          .beginRun({ runId })
          .then(
            () => true,
            () => false,
          ),
      Boolean,
    );
    return { runId, checkId: (await worker().requireCheck({ runId })).checkId };
  };
  assert.is((await required(org)).checkId, '', 'the proof is fresh');
  await core.as(org.key)(ScanService).listScans({});
  const again = await provenOrg();
  await age(again.orgId, 25);
  const { checkId } = await required(again);
  assert.is((await worker().getCheck({ checkId })).method, 'dns-txt');
  await age(staffs.orgId, 1_000);
  assert.is((await required(staffs)).checkId, '');
});

test('a domain that is given back in the moment of its proof is given back', async () => {
  const { key, orgId } = await newOrg(core);
  await domains(key).registerDomain({ domain: 'example.com' });
  const { ended } = await inOrg(core.program.core.em, orgId, async (tx) => {
    await tx.execute('delete from domain_challenges where org_id = ?', [orgId]);
    await tx.execute(
      `insert into domains (org_id, domain, method, verified_at, include_subdomains, proof_token)
       values (?, 'example.com', 'dns-txt', now(), true, 'x')`,
      [orgId],
    );
    const call = domains(key).deleteDomain({ domain: 'example.com' });
    call.catch(() => {});
    await untilOneWaits(tx);
    return { ended: call };
  });
  await ended;
  assert.is((await domains(key).getDomain({ domain: 'example.com' })).status, 'withdrawn');
});

test('a scan whose right ended while it waited for its turn does not begin to look', async () => {
  const org = await newOrg(core);
  await approve(core, org.orgId, 'example.com');
  const grant = { orgId: org.orgId, amount: 5, reason: 'x', idempotencyKey: 'x' };
  await core.operator(CreditService).grantCredits(grant);
  const { runId } = await core.as(org.key)(ScanService).startScan({ url: 'example.com' });
  assert.is((await worker().requireCheck({ runId })).checkId, '');
  await core.operator(DomainService).withdrawDomain({ orgId: org.orgId, domain: 'example.com' });
  await isRefused(worker().requireCheck({ runId }), 'DOMAIN_NOT_VERIFIED');
  await approve(core, org.orgId, 'example.com');
  assert.is((await worker().requireCheck({ runId })).checkId, '');
});

test('a worker may record twice, and what it may not name is refused', async () => {
  const org = await newOrg(core);
  await domains(org.key).registerDomain({ domain: 'example.com' });
  const asked = domains(org.key).verifyDomain({ domain: 'example.com' });
  const [checkId = ''] = await until(
    () => pending(org.orgId),
    (ids) => ids.length > 0,
  );
  await isRefused(worker().recordCheck({ checkId, outcome: FOUND, method: 'pigeon' }), 'INVALID_PARAMETER');
  await isRefused(worker().recordCheck({ checkId }), 'INVALID_PARAMETER');
  for (const outcome of [FOUND, MISSING]) await worker().recordCheck({ checkId, outcome, method: 'http-file' });
  assert.ok((await asked).verified, 'the first one counts');
  await isRefused(worker().getCheck({ checkId: 'nothing' }), 'NOT_FOUND');
  await isRefused(worker().getCheck({ checkId: '00000000-0000-4000-8000-000000000000' }), 'NOT_FOUND');
  await isRefused(core.as(org.key)(OwnershipService).getCheck({ checkId }), 'WRONG_KEY_KIND');
});

test.run();
