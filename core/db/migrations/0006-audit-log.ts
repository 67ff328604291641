import { Migration } from '@mikro-orm/migrations';
import { systemPath, tenantTable } from './row-security.ts';

/** Who changed what. The application may add to it, never change it (privileges.ts). */
export class AuditLog extends Migration {
  override up(): void {
    this.addSql(`create table audit_log (
      id uuid primary key default uuidv7(),
      org_id uuid references orgs (id) on delete cascade,
      recorded_at timestamptz not null default clock_timestamp(),
      action text not null check (action ~ '^[a-z]+(-[a-z]+)*\\.[a-z]+(-[a-z]+)*$'),
      subject text not null,
      actor_kind text not null check (actor_kind in ('org', 'service', 'worker', 'operator', 'system')),
      actor_key_id text not null,
      address text not null,
      request_id text not null,
      detail jsonb not null default '{}'
    )`);
    this.addSql('create index on audit_log (org_id, id)');
    for (const sql of tenantTable('audit_log')) this.addSql(sql);
    this.addSql(systemPath('audit_log', 'operator', 'all'));
  }
}
