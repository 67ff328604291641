import { withClient } from '../../dev/postgres.ts';

/**
 * Gives a database what another one held at one moment, as pg_dump and pg_restore do: all rows of one snapshot, written
 * by a superuser with triggers and foreign keys at rest. PostgreSQL's client programs are not among the packages.
 * @param to migrated
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const tables = await withClient(from, async (source) => {
    await source.query('begin transaction isolation level repeatable read read only');
    const { rows } = await source.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename <> 'migrations'`,
    );
    const contents: { name: string; json: string }[] = [];
    for (const { name } of rows) {
      const read = await source.query<{ json: string }>(
        `select coalesce(json_agg(t), '[]')::text as json from ${name} t`,
      );
      contents.push({ name, json: read.rows[0]?.json ?? '[]' });
    }
    return contents;
  });
  await withClient(to, async (target) => {
    await target.query('begin');
    await target.query('set local session_replication_role = replica');
    for (const { name } of tables) await target.query(`delete from ${name}`);
    for (const { name, json } of tables)
      await target.query(
        `insert into ${name} overriding system value select * from json_populate_recordset(null::${name}, $1)`,
        [json],
      );
    await target.query('commit');
  });
}
