import { Migration } from '@mikro-orm/migrations';
import { tenantTable } from './row-security.ts';

/** Domains of an org and the test identities for them. */
export class Domains extends Migration {
  override up(): void {
    this.addSql(`create table domains (
      org_id uuid not null references orgs (id) on delete cascade,
      domain text not null,
      method text not null check (method in ('operator', 'dns-txt', 'http-file', 'meta-tag')),
      verified_at timestamptz not null,
      include_subdomains boolean not null,
      withdrawn_at timestamptz,
      start_urls text[] not null default '{}',
      excluded_paths text[] not null default '{}',
      requests_per_second integer not null default 0 check (requests_per_second >= 0),
      primary key (org_id, domain)
    )`);
    this.addSql(`create table logins (
      org_id uuid not null,
      domain text not null,
      name text not null,
      kind text not null check (kind in ('form', 'json', 'bearer', 'header', 'cookie')),
      role text not null,
      settings text not null,
      updated_at timestamptz not null default now(),
      primary key (org_id, domain, name),
      foreign key (org_id, domain) references domains on delete cascade
    )`);
    for (const table of ['domains', 'logins']) for (const sql of tenantTable(table)) this.addSql(sql);
  }
}
