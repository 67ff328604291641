import { Client, Connection } from '@temporalio/client';
import { Client as Postgres } from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Depth, ScanStatus } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { startNameServer, type Zone } from '../../fixtures/name-server.ts';
import { hasEnded, openInstallation } from '../support/installation.ts';

const domain = 'shop.example';
const zone: Zone = { [`${domain} A`]: ['127.0.0.1'] };
const nameServer = await startNameServer(zone);
const installation = await openInstallation({ host: 'other.example' });
await installation.startWorker('worker', { DNS_SERVER: nameServer.address });

const test = suite('proofs of ownership, with a real worker and name server');
test.after(async () => {
  await installation.close();
  nameServer.close();
});

const { domains, scans, orgs } = installation;
const proofName = `_scan-audit.${domain} TXT`;

async function inDatabase(sql: string): Promise<void> {
  const client = new Postgres({ connectionString: installation.databaseUrl });
  await client.connect();
  try {
    // The owner is bound by row-level security too.
    await client.query(`select set_config('app.org_id', '${installation.orgId}', false)`);
    await client.query(sql);
  } finally {
    await client.end();
  }
}

const age = () => inDatabase("update domains set checked_at = now() - interval '25 hours'");

async function scan() {
  const { runId } = await scans.startScan({ url: `https://${domain}/`, depth: Depth.STANDARD });
  return installation.until(runId, hasEnded);
}

const available = async () => (await orgs.getOrg({})).credit?.available;

test('the record that is published proves the domain', async () => {
  const { challenge } = await domains.registerDomain({ domain });
  const before = await domains.verifyDomain({ domain, method: 'dns-txt' }, { timeoutMs: 40_000 });
  assert.is(before.outcome, 'missing', before.detail);
  zone[proofName] = [challenge?.dnsTxt?.value ?? ''];
  const after = await domains.verifyDomain({ domain }, { timeoutMs: 40_000 });
  assert.equal([after.outcome, after.domain?.method, after.domain?.includeSubdomains], ['found', 'dns-txt', true]);
});

test('a scan looks again when the proof is older than a day', async () => {
  await age();
  const looks = () => nameServer.asked().filter((question) => question === proofName).length;
  const before = looks();
  const { failure } = await scan();
  // This machine is nowhere to be audited: the scan came as far as the survey.
  assert.is(failure?.code, 'forbidden_address');
  assert.ok(looks() > before);
  assert.is((await domains.getDomain({ domain })).status, 'verified');
});

test('the daily look renews proofs, and core has put it on a schedule that skips what would overlap', async () => {
  const taskQueue = `${installation.queuePrefix}.workflows`;
  const connection = await Connection.connect({ address: installation.temporalAddress });
  const { workflow, schedule } = new Client({ connection });
  try {
    const { policies, action } = await schedule.getHandle(`${taskQueue}/recheck-ownership`).describe();
    assert.equal([policies.overlap, policies.catchupWindow], ['SKIP', 600_000]);
    assert.is(action.type === 'startWorkflow' && action.workflowType, 'recheckOwnership');
    await age();
    await inDatabase("update domain_checks set requested_at = now() - interval '21 hours'");
    const before = (await domains.getDomain({ domain })).checkedAt?.seconds ?? 0n;
    const options = { taskQueue, workflowId: `recheck-${taskQueue}`, args: [] };
    await workflow.execute('recheckOwnership', options);
    const { status, checkedAt } = await domains.getDomain({ domain });
    assert.is(status, 'verified');
    assert.ok((checkedAt?.seconds ?? 0n) > before);
    const history = await workflow.getHandle(options.workflowId).fetchHistory();
    assert.ok((history.events?.length ?? 0) < 100);
  } finally {
    await connection.close();
  }
});

test('a proof that is gone fails the scan, which costs nothing, and the next start is refused', async () => {
  delete zone[proofName];
  await age();
  const credit = await available();
  const { status, failure } = await scan();
  assert.equal([status, failure?.code], [ScanStatus.FAILED, 'ownership_lost']);
  assert.match(failure?.detail ?? '', 'The proof of ownership is gone.');
  assert.is(await available(), credit);
  assert.is((await domains.getDomain({ domain })).status, 'lost');
  const refusal = await scans.startScan({ url: `https://${domain}/` }).catch((error: unknown) => String(error));
  assert.match(String(refusal), 'is not proven to be your organisation');
});

test.run();
