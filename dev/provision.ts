import { type Client, Code, ConnectError } from '@connectrpc/connect';
import { type RpcOptions, rpcClients } from '../kit/rpc.ts';
import { CreditService } from '../proto/gen/scanaudit/v1/credits_pb.ts';
import { DomainService } from '../proto/gen/scanaudit/v1/domains_pb.ts';
import { KeyService } from '../proto/gen/scanaudit/v1/keys_pb.ts';
import { KeyKind } from '../proto/gen/scanaudit/v1/options_pb.ts';
import { OrgService } from '../proto/gen/scanaudit/v1/orgs_pb.ts';
import { demoHost, demoLogins } from './demo/identities.ts';
import type { DemoKeys } from './secrets.ts';

const demoPlan = 'business';
/** The demo's credit is filled up to this at each start. */
const demoCredit = 1_000;

const orgScopes = ['scans:read', 'scans:write', 'findings:write', 'domains:write', 'keys:write', 'org:write'];
const serviceScopes = [...orgScopes, 'credits:grant'];

/** Whether core knows this key. */
export async function isKeyValid(baseUrl: string, key: string): Promise<boolean> {
  const { AccessService } = await import('../proto/gen/scanaudit/v1/access_pb.ts');
  try {
    await rpcClients({ baseUrl, key })(AccessService).check({});
    return true;
  } catch (error) {
    if (ConnectError.from(error).code === Code.Unauthenticated) return false;
    throw error;
  }
}

/** Makes the demo's organisation and its keys, with the operator's. */
export async function createDemo(baseUrl: string, operatorKey: string): Promise<DemoKeys> {
  const clients = rpcClients({ baseUrl, key: operatorKey });
  const { orgId } = await clients(OrgService).createOrg({ name: 'Demo', plan: demoPlan });
  const keys = clients(KeyService);
  return {
    orgId,
    apiKey: await issue(keys, { kind: KeyKind.ORG, orgId, name: 'Demo', scopes: orgScopes }),
    serviceKey: await issue(keys, { kind: KeyKind.SERVICE, name: 'Internal service', scopes: serviceScopes }),
    workerKey: await issue(keys, { kind: KeyKind.WORKER, name: 'Worker' }),
  };
}

export const issueListenerKey = (baseUrl: string, operatorKey: string): Promise<string> =>
  issue(rpcClients({ baseUrl, key: operatorKey })(KeyService), { kind: KeyKind.LISTENER, name: 'Listener' });

async function issue(
  keys: Client<typeof KeyService>,
  wanted: { kind: KeyKind; name: string; orgId?: string; scopes?: string[] },
): Promise<string> {
  return (await keys.issueKey(wanted)).secret;
}

/** Gives the demo what an audit of it needs: the right to scan, the two logins, credit. May be done again at any time. */
export async function equipDemo(options: RpcOptions & { demoUrl: string; operatorKey: string; demo: DemoKeys }) {
  const { baseUrl, demo, operatorKey } = options;
  const operator = rpcClients({ baseUrl, key: operatorKey });
  const own = rpcClients({ baseUrl, key: demo.apiKey });
  await operator(DomainService).approveDomain({ orgId: demo.orgId, domain: demoHost, includeSubdomains: true });
  for (const [name, login] of Object.entries(demoLogins(options.demoUrl))) {
    await own(DomainService).putLogin({ domain: demoHost, name, login });
  }
  const { credit } = await own(OrgService).getOrg({});
  const missing = demoCredit - (credit?.available ?? 0);
  if (missing <= 0) return;
  await operator(CreditService).grantCredits({
    orgId: demo.orgId,
    amount: missing,
    reason: 'Credit for the demo',
    idempotencyKey: `demo-${Date.now()}`,
  });
}
