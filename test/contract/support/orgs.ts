import { fieldOf } from './values.ts';
import type { World } from './world.ts';

export type TestOrg = { orgId: string; key: string };

type OrgSettings = {
  /** "test" has every entitlement and limits that no test reaches; "free", "team" and "business" are as sold. */
  plan?: string;
  credits?: number;
  /** Approved by the operator, subdomains included. */
  domains?: string[];
  scopes?: string[];
};

export const allScopes = ['scans:read', 'scans:write', 'findings:write', 'domains:write', 'keys:write', 'org:write'];

/** An org as an operator makes it: with a plan, credit, domains and a key. */
export async function createOrg(world: World, settings: OrgSettings = {}): Promise<TestOrg> {
  const { plan = 'test', credits = 1_000, domains = ['example.com'], scopes = allScopes } = settings;
  const orgId = String(fieldOf((await world.operate('OrgService/CreateOrg', { name: 'Test', plan })).body, 'orgId'));
  if (credits > 0) await grant(world, orgId, credits);
  for (const domain of domains) await approve(world, orgId, domain);
  return { orgId, key: await issueKey(world, orgId, { scopes }) };
}

let grants = 0;

export async function grant(world: World, orgId: string, amount: number): Promise<void> {
  grants += 1;
  await world.operate('CreditService/GrantCredits', {
    orgId,
    amount,
    reason: 'test',
    idempotencyKey: `grant-${grants}`,
  });
}

export async function approve(world: World, orgId: string, domain: string): Promise<void> {
  const includeSubdomains = domain.includes('.') && !/^[\d.:a-f]+$/.test(domain);
  await world.operate('DomainService/ApproveDomain', { orgId, domain, includeSubdomains });
}

export async function issueKey(
  world: World,
  orgId: string,
  { scopes = allScopes, ...more }: { scopes?: string[]; expiresAt?: string } = {},
): Promise<string> {
  const issued = await world.operate('KeyService/IssueKey', { kind: 'org', orgId, name: 'test', scopes, ...more });
  return String(fieldOf(issued.body, 'secret'));
}

export async function issueServiceKey(world: World, scopes = allScopes): Promise<string> {
  const issued = await world.operate('KeyService/IssueKey', { kind: 'service', name: 'test', scopes });
  return String(fieldOf(issued.body, 'secret'));
}

/** The 8 characters by which an operator names a key. */
export const keyIdOf = (key: string): string => key.slice(3, 11);
