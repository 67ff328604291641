import { Migration } from '@mikro-orm/migrations';
import { systemPath, tenantTable } from './row-security.ts';

/** Headers that scans of a domain send, and what documents say of its API. Both are encrypted. */
export class ScopeParts extends Migration {
  override up(): void {
    this.addSql(`create table scope_headers (
      org_id uuid not null,
      domain text not null,
      name text not null,
      value text not null,
      primary key (org_id, domain, name),
      foreign key (org_id, domain) references domains on delete cascade
    )`);
    this.addSql(`create table scope_documents (
      org_id uuid not null,
      domain text not null,
      name text not null,
      format text not null check (format in ('openapi', 'postman', 'har')),
      requests integer not null,
      content text not null,
      primary key (org_id, domain, name),
      foreign key (org_id, domain) references domains on delete cascade
    )`);
    for (const table of ['scope_headers', 'scope_documents']) {
      for (const sql of tenantTable(table)) this.addSql(sql);
      for (const command of ['select', 'update'] as const) this.addSql(systemPath(table, 'rotation', command));
    }
  }
}
