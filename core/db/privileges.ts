import type { EntityManager } from '@mikro-orm/postgresql';

/** What the application may do with each table; with all others, nothing. */
const grants: Record<string, string> = {
  plans: 'select, insert, update',
  orgs: 'select, insert, update',
  api_keys: 'select, insert, update',
  rate_limits: 'select, insert, update',
  domains: 'select, insert, update',
  logins: 'select, insert, update, delete',
  scope_headers: 'select, insert, update, delete',
  scope_documents: 'select, insert, update, delete',
  domain_challenges: 'select, insert, update, delete',
  domain_checks: 'select, insert, update, delete',
  credit_accounts: 'select, insert, update',
  credit_holds: 'select, insert, update',
  // Append-only: history cannot be changed with the application's password.
  ledger_transactions: 'select, insert',
  ledger_entries: 'select, insert',
  credit_lots: 'select, insert, update',
  credit_draws: 'select, insert',
  scans: 'select, insert, update',
  outbox: 'select, insert, update, delete',
  idempotency_keys: 'select, insert, update, delete',
  findings: 'select, insert, update',
  family_coverage: 'select, insert, update',
  omissions: 'select, insert, update, delete',
  facts: 'select, insert, update',
  artifacts: 'select, insert, update',
  permissions: 'select, insert, update',
  writes: 'select, insert, update',
  callbacks: 'select, insert',
  finding_decisions: 'select, insert, update, delete',
  audit_log: 'select, insert',
  run_secrets: 'select, insert, update, delete',
};

/** Functions with their owner's rights that the application may call. */
const functions = ['delete_scans_past_retention'];

const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/**
 * Makes the application's role when it is missing and gives it exactly the privileges above.
 * The owner's role needs CREATEROLE to make one; where roles are made by others, it does not.
 */
export async function grantPrivileges(owner: EntityManager, role: { name: string; password: string }): Promise<void> {
  const [existing] = await owner.execute<unknown[]>('select 1 from pg_roles where rolname = ?', [role.name]);
  if (existing === undefined)
    await owner.execute(`create role ${identifier(role.name)} login password ${literal(role.password)}`);
  await owner.execute(`grant usage on schema public to ${identifier(role.name)}`);
  await owner.execute(`revoke all on all tables in schema public from ${identifier(role.name)}`);
  for (const [table, privileges] of Object.entries(grants))
    await owner.execute(`grant ${privileges} on ${table} to ${identifier(role.name)}`);
  for (const name of functions) await owner.execute(`grant execute on function ${name} to ${identifier(role.name)}`);
}

/**
 * Row level security must bind the application: its role is no superuser, does not bypass it and owns no table.
 * @throws Error that says which
 */
export async function assertUnprivileged(em: EntityManager): Promise<void> {
  const [role] = await em.execute<{ name: string; rolsuper: boolean; rolbypassrls: boolean; owns: boolean }[]>(
    `select current_user as name, rolsuper, rolbypassrls,
      exists (select from pg_class where relowner = pg_roles.oid and relnamespace = 'public'::regnamespace) as owns
     from pg_roles where rolname = current_user`,
  );
  const faults = [
    role?.rolsuper && 'is a superuser',
    role?.rolbypassrls && 'bypasses row level security',
    role?.owns && 'owns tables',
  ].filter(Boolean);
  if (faults.length > 0)
    throw new Error(`The role "${role?.name}" of DATABASE_URL ${faults.join(' and ')}: use one that does not.`);
}
