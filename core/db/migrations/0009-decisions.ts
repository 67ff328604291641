import { Migration } from '@mikro-orm/migrations';
import { tenantTable } from './row-security.ts';

/** What an org decided about a finding: no run's data, so it stays when runs go. */
export class Decisions extends Migration {
  override up(): void {
    this.addSql(`create table finding_decisions (
      org_id uuid not null references orgs (id) on delete cascade,
      host text not null,
      fingerprint text not null check (fingerprint ~ '^[0-9a-f]{32}$'),
      state text not null check (state in ('accepted_risk', 'false_positive')),
      reason text not null,
      decided_at timestamptz not null default now(),
      expires_at timestamptz,
      primary key (org_id, host, fingerprint)
    )`);
    for (const sql of tenantTable('finding_decisions')) this.addSql(sql);
  }
}
