import { Migration } from '@mikro-orm/migrations';
import { tenantTable } from './row-security.ts';

/** The permission matrix of a run. */
export class Permissions extends Migration {
  override up(): void {
    this.addSql(`create table permissions (
      run_id uuid primary key references scans (run_id) on delete cascade,
      org_id uuid not null references orgs (id) on delete cascade,
      body jsonb not null
    )`);
    for (const sql of tenantTable('permissions')) this.addSql(sql);
  }
}
