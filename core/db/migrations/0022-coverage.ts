import { Migration } from '@mikro-orm/migrations';
import { tenantTable } from './row-security.ts';

/** What runs left out, by code and count; and the gaps with which an org's gates pass. */
export class Coverage extends Migration {
  override up(): void {
    this.addSql('drop table not_covered');
    this.addSql(`create table omissions (
      run_id uuid not null references scans (run_id) on delete cascade,
      org_id uuid not null references orgs (id) on delete cascade,
      family text not null,
      code text not null,
      subject text not null,
      count integer not null check (count > 0),
      text text not null,
      primary key (run_id, family, code, subject)
    )`);
    for (const sql of tenantTable('omissions')) this.addSql(sql);
    this.addSql(`alter table orgs add column accepted_gaps jsonb not null default '[]'`);
  }
}
