import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoHost, demoLogins } from '../../dev/demo/identities.ts';
import { rpcClients } from '../../kit/rpc.ts';
import { DomainService } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { BenchStack, Started } from './bench-stack.ts';

/** The demo shop as a target: vulnerable, or its patched twin. */
type DemoTarget = {
  url: string;
  port: number;
  authority: string;
  dnsServer: string;
  program: Started;
  close(): Promise<void>;
};

/** Names of the demo, which are found on loopback. */
export const demoHosts = [demoHost, `*.${demoHost}`];

export async function startDemoTarget(stack: Pick<BenchStack, 'start'>, patched: boolean): Promise<DemoTarget> {
  const folder = await mkdtemp(join(tmpdir(), 'scan-audit-bench-demo-'));
  const program = await stack.start('dev/demo/main.ts', { DEMO_HOME: folder, DEMO_PATCHED: String(patched) });
  const { url, caFile, dnsServer } = program.ready;
  if (typeof url !== 'string' || typeof caFile !== 'string' || typeof dnsServer !== 'string')
    throw new Error('the demo did not say where it is');
  return {
    url,
    port: Number(new URL(url).port),
    authority: await readFile(caFile, 'utf8'),
    dnsServer,
    program,
    async close() {
      await program.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Gives an org the right to audit the demo, and the logins of its people. */
export async function equipOrg({ coreUrl, operatorKey }: BenchStack, org: { orgId: string; key: string }, url: string) {
  const operator = rpcClients({ baseUrl: coreUrl, key: operatorKey });
  await operator(DomainService).approveDomain({ orgId: org.orgId, domain: demoHost, includeSubdomains: true });
  const own = rpcClients({ baseUrl: coreUrl, key: org.key });
  for (const [name, login] of Object.entries(demoLogins(url)))
    await own(DomainService).putLogin({ domain: demoHost, name, login });
}
