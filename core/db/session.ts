import type { EntityData, EntityManager, EntityName } from '@mikro-orm/postgresql';

/**
 * The few readers that cross orgs. Row level security opens to each exactly what its policies name
 * (migrations/0001-tenancy.ts and on), nothing else:
 * - `keys` looks an API key up, with its org and plan
 * - `operator` manages orgs, and keys of any org and of none
 * - `dispatcher` reads and updates scans, works the outbox off, and removes stored answers that have expired
 * - `worker` finds the org of a run or of a proof; all else a worker does happens as that org
 * - `metrics` counts scans, messages and credit
 * - `rotation` reads and rewrites what is encrypted, to bring it under another key
 *
 * A path is a setting of the transaction, as the org is. Both guard against a forgotten filter or a wrong join, not
 * against code that sets them falsely; so they are set here and in the database's own functions, and nowhere else.
 */
export type SystemPath = 'keys' | 'operator' | 'dispatcher' | 'worker' | 'rotation' | 'metrics';

type TransactionWork<T> = (tx: EntityManager) => Promise<T>;

/**
 * Runs a unit of work as one org, in one transaction: row level security shows that org's rows only.
 * Throwing rolls back.
 */
export const inOrg = <T>(em: EntityManager, orgId: string, work: TransactionWork<T>): Promise<T> =>
  em.fork({ session: { variables: { 'app.org_id': orgId } } }).transactional(work);

/** Runs a unit of work as one of the named system paths, in one transaction. Throwing rolls back. */
export const inSystem = <T>(em: EntityManager, path: SystemPath, work: TransactionWork<T>): Promise<T> =>
  em.fork({ session: { variables: { 'app.path': path } } }).transactional(work);

/**
 * From here to the end of the transaction, row level security shows this org's rows.
 * For a system path that has found out whose work it does.
 */
export async function continueAsOrg(tx: EntityManager, orgId: string): Promise<void> {
  await tx.execute("select set_config('app.org_id', ?, true), set_config('app.path', '', true)", [orgId]);
}

/** From here on row level security shows what one of the system paths may see, for one that needs two of them. */
export async function continueInSystem(tx: EntityManager, path: SystemPath): Promise<void> {
  await tx.execute("select set_config('app.org_id', '', true), set_config('app.path', ?, true)", [path]);
}

/** One statement with `?` for each parameter. */
export type Statement = { sql: string; params: readonly unknown[] };

/**
 * Executes statements of a transaction in one round trip; each sees what those before it have done. None is executed
 * after one that fails.
 */
export async function executeTogether(tx: EntityManager, statements: readonly Statement[]): Promise<void> {
  const platform = tx.getPlatform();
  await tx.execute(statements.map(({ sql, params }) => platform.formatQuery(sql, [...params])).join('; '));
}

/**
 * Executes as one org in a single round trip, for what is called often: `inOrg` takes three and the work itself.
 * The statements are one message of the simple query protocol, hence one transaction, and row level security is
 * bound to the org in its first one; each sees what those before it have done. `fieldsOf` names the columns of a row
 * as its entity does.
 * @returns the rows of each statement, with the names and types of the columns
 */
export async function executeInOrg(
  em: EntityManager,
  orgId: string,
  work: readonly Statement[],
): Promise<Record<string, unknown>[][]> {
  const platform = em.getPlatform();
  const setOrg: Statement = { sql: "select set_config('app.org_id', ?, true)", params: [orgId] };
  const statements = [setOrg, ...work].map(({ sql, params }) => platform.formatQuery(sql, [...params]));
  // For several statements `pg` answers with several results, which its types do not say.
  const results: unknown = await (await poolOf(em)).query(statements.join('; '));
  return (results as { rows: Record<string, unknown>[] }[]).slice(1).map(({ rows }) => rows);
}

/** A row that was read with `select *`, as its entity has it, without an entity that is watched for changes. */
export const fieldsOf = <T extends object>(em: EntityManager, entity: EntityName<T>, row: object): EntityData<T> =>
  em.getDriver().mapResult<T>(row as EntityData<T>, em.getMetadata(entity)) ?? {};

/**
 * Calls a function of the database, in a transaction of its own: for what each call of an RPC begins with, past the layers of
 * the ORM.
 */
export async function callFunction<Row extends object>(
  em: EntityManager,
  sql: string,
  params: unknown[],
): Promise<Row[]> {
  const { rows } = await (await poolOf(em)).query<Row>(sql, params);
  return rows;
}

const poolOf = (em: EntityManager) => em.getConnection().getNativeClient();
