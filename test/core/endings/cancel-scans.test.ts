import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inOrg } from '../../../core/db/session.ts';
import { DomainCheckEntity } from '../../../core/ownership/entities.ts';
import { beginRun } from '../../../core/runs/begin-run.ts';
import { AuditLogService } from '../../../proto/gen/scanaudit/v1/audit_log_pb.ts';
import { CreditService } from '../../../proto/gen/scanaudit/v1/credits_pb.ts';
import { DomainService } from '../../../proto/gen/scanaudit/v1/domains_pb.ts';
import { KeyService } from '../../../proto/gen/scanaudit/v1/keys_pb.ts';
import { KeyKind } from '../../../proto/gen/scanaudit/v1/options_pb.ts';
import { OrgService } from '../../../proto/gen/scanaudit/v1/orgs_pb.ts';
import { OwnershipService, ProofOutcome } from '../../../proto/gen/scanaudit/v1/ownership_pb.ts';
import { ScanService, ScanStatus } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { firstRows } from '../../support/further.ts';
import { messages } from '../scans/support.ts';
import { approve, issueServiceKey, newOrg, startCore, type TestCore } from '../support.ts';

let core: TestCore;
let workerKey: string;
const test = suite('scans whose basis ends');
test.before(async () => {
  core = await startCore();
  workerKey = (await core.operator(KeyService).issueKey({ kind: KeyKind.WORKER, name: 'w' })).secret;
});
test.after(() => core.close());

const domain = 'example.com';
const scopes = ['scans:read', 'scans:write', 'domains:write', 'keys:write', 'org:write'];
type Org = Awaited<ReturnType<typeof openOrg>>;

/** An org with two domains and a key beside its first one. */
async function openOrg() {
  const org = await newOrg(core, { scopes });
  await approve(core, org.orgId, domain, true);
  await approve(core, org.orgId, 'other.example');
  await core.operator(CreditService).grantCredits({ orgId: org.orgId, amount: 20, reason: 'x', idempotencyKey: 'x' });
  const wanted = { kind: KeyKind.ORG, orgId: org.orgId, name: 'other', scopes };
  const other = await core.operator(KeyService).issueKey(wanted);
  return { ...org, other: { key: other.secret, keyId: other.key?.keyId ?? '' } };
}

const start = async (key: string, url: string, orgHeader?: string) =>
  (
    await core
      .as(key)(ScanService)
      .startScan({ url }, orgHeader ? { headers: { 'x-scan-audit-org': orgHeader } } : {})
  ).runId;

const em = () => core.program.core.em;

/** A running scan and one that waits for it, which are to end, and one that is not. */
async function threeScans(org: Org) {
  const running = await start(org.key, `https://www.${domain}`);
  await beginRun(em(), running);
  const waiting = await start(org.key, `https://www.${domain}`);
  const untouched = await start(org.other.key, 'https://other.example');
  return { running, waiting, untouched };
}

const looks = async ({ orgId }: Org): Promise<void> => {
  const id = randomUUID();
  const token = 'a'.repeat(40);
  await inOrg(em(), orgId, async (tx) => {
    await tx.execute("update domains set proof_token = ?, method = 'dns-txt' where domain = ?", [token, domain]);
    await tx.insert(DomainCheckEntity, { id, orgId, domain, purpose: 'renew', method: 'dns-txt', token });
  });
  const worker = core.as(workerKey)(OwnershipService);
  await worker.recordCheck({ checkId: id, outcome: ProofOutcome.MISSING, detail: 'It is gone.' });
};

const ends: [what: string, action: string, end: (org: Org) => Promise<unknown>][] = [
  [
    'staff withdraw the domain',
    'domain.withdraw',
    ({ orgId }) => core.operator(DomainService).withdrawDomain({ orgId, domain }),
  ],
  ['the org gives the domain back', 'domain.delete', ({ key }) => core.as(key)(DomainService).deleteDomain({ domain })],
  ['the proof of the domain is gone', 'domain.lose', looks],
  ['staff revoke the key', 'key.revoke', ({ keyId }) => core.operator(KeyService).revokeKey({ keyId })],
  [
    'the org revokes the key',
    'key.revoke',
    ({ other, keyId }) => core.as(other.key)(KeyService).revokeOrgKey({ keyId }),
  ],
];

for (const [what, action, end] of firstRows(ends, 3))
  test(`when ${what}, the running one is asked to stop, the waiting one is refunded, others go on`, async () => {
    const org = await openOrg();
    const { running, waiting, untouched } = await threeScans(org);
    await end(org);
    const client = core.as(org.other.key)(ScanService);
    const [first, second, third] = await Promise.all(
      [running, waiting, untouched].map((runId) => client.getScan({ runId })),
    );
    assert.is(first?.status, ScanStatus.RUNNING);
    assert.equal([second?.status, second?.credits], [ScanStatus.CANCELED, 0]);
    assert.is(third?.status, ScanStatus.QUEUED);
    const sent = await messages(em(), org.orgId);
    assert.equal(
      sent.filter((message) => message.startsWith('cancel')),
      [`cancel ${running}`],
    );
    const { credit } = await core.as(org.other.key)(OrgService).getOrg({});
    assert.equal([credit?.available, credit?.reserved], [18, 2]);
    const log = await core.as(org.other.key)(AuditLogService).listAuditLog({});
    const entry = log.items.find((item) => item.action === action);
    assert.ok(entry);
    if (action !== 'key.revoke') assert.is(entry.detail.find(({ name }) => name === 'canceledScans')?.value, '2');
  });

test('a key of a service takes the scans of all orgs that it has started with it', async () => {
  const service = await issueServiceKey(core);
  const orgs = [await openOrg(), await openOrg()];
  const runs: string[] = [];
  for (const { orgId } of orgs) {
    const runId = await start(service, domain, orgId);
    await beginRun(em(), runId);
    runs.push(runId);
  }
  const { items } = await core.operator(KeyService).listKeys({ limit: 100 });
  const keyId = items.find(({ kind, name, revokedAt }) => kind === KeyKind.SERVICE && name === 'billing' && !revokedAt);
  await core.operator(KeyService).revokeKey({ keyId: keyId?.keyId ?? '' });
  for (const [index, org] of orgs.entries())
    assert.ok((await messages(em(), org.orgId)).includes(`cancel ${runs[index]}`));
});

test('a key takes the scans of the keys that it made with it', async () => {
  const org = await openOrg();
  const made = await core.as(org.key)(KeyService).createOrgKey({ name: 'made', scopes });
  const runId = await start(made.secret, domain);
  await core.as(org.other.key)(KeyService).revokeOrgKey({ keyId: org.keyId });
  assert.is((await core.as(org.other.key)(ScanService).getScan({ runId })).status, ScanStatus.CANCELED);
});

test('repeating the end changes nothing', async () => {
  const org = await openOrg();
  const { running } = await threeScans(org);
  for (const _ of [1, 2]) await core.operator(DomainService).withdrawDomain({ orgId: org.orgId, domain });
  const sent = await messages(em(), org.orgId);
  assert.is(sent.filter((message) => message === `cancel ${running}`).length, 1);
});

test('a scan whose first step shows that the proof is gone is not canceled: it fails by itself, and is refunded', async () => {
  const org = await openOrg();
  const { running, waiting } = await threeScans(org);
  await inOrg(em(), org.orgId, (tx) =>
    tx.execute(
      "update domains set proof_token = ?, method = 'dns-txt', checked_at = now() - interval '2 days' where domain = ?",
      ['a'.repeat(40), domain],
    ),
  );
  const worker = core.as(workerKey)(OwnershipService);
  const { checkId } = await worker.requireCheck({ runId: running });
  await worker.recordCheck({ checkId, outcome: ProofOutcome.MISSING });
  const sent = await messages(em(), org.orgId);
  assert.not.ok(sent.includes(`cancel ${running}`));
  assert.is((await core.as(org.key)(ScanService).getScan({ runId: waiting })).status, ScanStatus.CANCELED);
});

test.run();
