import { Migration } from '@mikro-orm/migrations';
import { tenantTable } from './row-security.ts';

/** What runs found. Each table: its own columns, and its key within a run. */
const tables: Record<string, { columns: string; key: string }> = {
  findings: {
    columns: `fingerprint text not null check (fingerprint ~ '^[0-9a-f]{32}$'), id text not null, check_id text not null,
      severity smallint not null check (severity between 1 and 5), first_seen_run_id uuid not null, body jsonb not null,
      created_at timestamptz not null default now()`,
    key: 'fingerprint',
  },
  family_coverage: { columns: 'family text not null, body jsonb not null', key: 'family' },
  not_covered: {
    columns: 'family text not null, subject text not null, reason text not null',
    key: 'family, subject',
  },
  facts: {
    columns: 'id text not null, body jsonb not null, created_at timestamptz not null default now()',
    key: 'id',
  },
  artifacts: {
    columns: `name text not null, ref text not null check (ref ~ '^[0-9a-f]{64}$'), content_type text not null,
      size_bytes integer not null, content bytea not null, stored_at timestamptz not null default clock_timestamp()`,
    key: 'name, ref',
  },
  writes: {
    columns: `id text not null, state text not null check (state in ('pending', 'undone', 'undo_failed')),
      body jsonb not null, recorded_at timestamptz not null default clock_timestamp()`,
    key: 'id',
  },
  run_secrets: { columns: 'ref text not null, value text not null', key: 'ref' },
};

export class Results extends Migration {
  override up(): void {
    for (const [table, { columns, key }] of Object.entries(tables)) {
      this.addSql(`create table ${table} (
        run_id uuid not null references scans (run_id) on delete cascade,
        org_id uuid not null references orgs (id) on delete cascade,
        ${columns},
        primary key (run_id, ${key})
      )`);
      for (const sql of tenantTable(table)) this.addSql(sql);
    }
    this.addSql('create index findings_worst on findings (run_id, severity desc, fingerprint)');
    this.addSql('create index findings_history on findings (org_id, fingerprint)');
    // Already compressed: PostgreSQL need not try again.
    this.addSql('alter table artifacts alter column content set storage external');
  }
}
