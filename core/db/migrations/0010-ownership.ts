import { Migration } from '@mikro-orm/migrations';
import { systemPath, tenantTable } from './row-security.ts';

/** How an org proves a domain by itself: a challenge, looks for its proof, and what became of the right. */
export class Ownership extends Migration {
  override up(): void {
    this.addSql(`alter table domains add column proof_token text,
      add column checked_at timestamptz not null default now(), add column lost_reason text`);
    this.addSql(`create table domain_challenges (
      org_id uuid not null references orgs (id) on delete cascade,
      domain text not null,
      token text not null unique,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null default now() + interval '7 days',
      primary key (org_id, domain)
    )`);
    this.addSql(`create table domain_checks (
      id uuid primary key,
      org_id uuid not null references orgs (id) on delete cascade,
      domain text not null,
      purpose text not null check (purpose in ('verify', 'renew')),
      method text not null check (method in ('', 'dns-txt', 'http-file', 'meta-tag')),
      token text not null,
      state text not null default 'pending' check (state in ('pending', 'found', 'missing', 'failed')),
      detail text not null default '',
      requested_at timestamptz not null default now(),
      finished_at timestamptz,
      check ((state = 'pending') = (finished_at is null))
    )`);
    this.addSql('create index on domain_checks (org_id, domain, requested_at)');
    for (const table of ['domain_challenges', 'domain_checks']) for (const sql of tenantTable(table)) this.addSql(sql);
    this.addSql(systemPath('domain_checks', 'worker', 'select'));
    this.addSql(systemPath('domains', 'worker', 'select'));
    this.addSql(systemPath('domain_checks', 'dispatcher', 'all'));
    this.addSql(systemPath('domain_challenges', 'dispatcher', 'all'));
  }
}
