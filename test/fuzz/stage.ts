import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { createOrg, keyIdOf } from '../contract/support/orgs.ts';
import { complete, start } from '../contract/support/scans.ts';
import { fieldOf, listOf } from '../contract/support/values.ts';
import { startWorld, type World } from '../contract/support/world.ts';

/** The whole service with something of each kind in it, and an org's key. */
export type Stage = {
  baseUrl: string;
  key: string;
  keyId: string;
  /** Values of path parameters that name something that is there. */
  known: Record<string, string[]>;
  close(): Promise<void>;
};

export async function setStage(): Promise<Stage> {
  const world = await startWorld({ maxFailedKeysPerMinute: 10_000_000 });
  const verifier = await standInVerifier(world);
  const org = await createOrg(world, { credits: 1_000_000, domains: ['example.com'] });
  const completed = await complete(world, org, [{ severity: 'high' }, { severity: 'low', path: '/a' }]);
  const queued = await start(world, org, 'https://shop.example.com/');
  const findings = await world.rest('ScanService/ListFindings', { runId: completed }, org);
  const login = { bearer: 'secret' };
  await world.rest('DomainService/PutLogin', { domain: 'example.com', name: 'a', login }, org);
  await world.rest('DomainService/RegisterDomain', { domain: 'example.org' }, org);
  const spare = await world.rest('KeyService/CreateOrgKey', { name: 'spare', scopes: ['scans:read'] }, org);
  return {
    baseUrl: world.baseUrl,
    key: org.key,
    keyId: keyIdOf(org.key),
    known: {
      runId: [completed, queued],
      fingerprint: listOf(findings.body, 'items').map((finding) => String(fieldOf(finding, 'fingerprint'))),
      domain: ['example.com', 'example.org'],
      name: ['a'],
      keyId: [String(fieldOf(spare.body, 'key.keyId'))],
    },
    close: async () => {
      await verifier.close();
      await world.close();
    },
  };
}

/** Answers the service's questions for proofs of ownership in a worker's place, and looks at nothing. */
async function standInVerifier(world: World): Promise<{ close(): Promise<void> }> {
  const connection = await Connection.connect({ address: world.temporalAddress });
  const client = new Client({ connection });
  const ended = new AbortController();
  const answerAll = async () => {
    const query = 'WorkflowType = "verifyDomain" AND ExecutionStatus = "Running"';
    for await (const { workflowId, taskQueue } of client.workflow.list({ query })) {
      if (!taskQueue.startsWith(world.taskQueuePrefix)) continue;
      const checkId = workflowId.slice('verify/'.length);
      const outcome = /[02468ace]$/.test(checkId) ? 'missing' : 'failed';
      await world.work('OwnershipService/RecordCheck', { checkId, outcome, detail: 'Nothing was looked at.' });
      await client.workflow.getHandle(workflowId).terminate();
    }
  };
  const loop = (async () => {
    while (!ended.signal.aborted) {
      await answerAll();
      await sleep(200, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  })();
  return {
    close: async () => {
      ended.abort();
      await loop;
      await connection.close();
    },
  };
}
