import { Migration } from '@mikro-orm/migrations';
import { tenantTable } from './row-security.ts';

/** What audited hosts called back with, as the listener reports it; and keys of listeners. */
export class Callbacks extends Migration {
  override up(): void {
    // Each token once by each protocol: a host that calls for ever stores no more than one that calls once.
    this.addSql(`create table callbacks (
      run_id uuid not null references scans (run_id) on delete cascade,
      token text not null,
      protocol text not null check (protocol in ('http', 'https', 'dns', 'smtp')),
      org_id uuid not null references orgs (id) on delete cascade,
      address text not null,
      detail text not null,
      received_at timestamptz not null default clock_timestamp(),
      primary key (run_id, token, protocol)
    )`);
    for (const sql of tenantTable('callbacks')) this.addSql(sql);
    this.newKind('api_keys', 'kind', ['org', 'service', 'worker', 'operator', 'listener']);
    this.newKind('audit_log', 'actor_kind', ['org', 'service', 'worker', 'operator', 'listener', 'system']);
  }

  /** Without a look at the rows that are there: they fit, since the list only grows. */
  private newKind(table: string, column: string, kinds: readonly string[]): void {
    const name = `${table}_${column}_check`;
    const words = kinds.map((kind) => `'${kind}'`).join(', ');
    this.addSql(`alter table ${table} drop constraint ${name}`);
    this.addSql(`alter table ${table} add constraint ${name} check (${column} in (${words})) not valid`);
  }
}
