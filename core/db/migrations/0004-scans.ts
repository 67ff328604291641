import { Migration } from '@mikro-orm/migrations';
import { systemPath, tenantTable } from './row-security.ts';

/** Scans, the outbox to Temporal, and answers that may be asked for again. */
export class Scans extends Migration {
  override up(): void {
    this.addSql(`create table scans (
      run_id uuid primary key,
      org_id uuid not null references orgs (id) on delete cascade,
      key_id text not null,
      host text not null,
      url text not null,
      scheme_given boolean not null default true,
      depth text not null check (depth in ('standard', 'deep')),
      status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed', 'canceled')),
      phase text not null default 'queued',
      progress double precision not null default 0 check (progress between 0 and 1),
      created_at timestamptz not null default now(),
      started_at timestamptz,
      finished_at timestamptz,
      dispatched_at timestamptz,
      cancel_requested_at timestamptz,
      findings_count integer not null default 0,
      critical integer not null default 0,
      high integer not null default 0,
      medium integer not null default 0,
      low integer not null default 0,
      info integer not null default 0,
      coverage_complete boolean not null default false,
      requests integer not null default 0,
      failure_code text,
      failure_detail text,
      credits integer not null,
      hold_id uuid not null references credit_holds (id),
      revision integer not null default 0,
      stored_bytes integer not null default 0,
      domain text not null,
      ownership_method text not null,
      ownership_verified_at timestamptz not null,
      check ((status in ('queued', 'running')) = (finished_at is null))
    )`);
    // Run ids are in the order of creation (UUIDv7), so they alone order the list: whole, of one host, of one status,
    // of one depth. The one of hosts finds baselines too.
    this.addSql('create index scans_newest on scans (org_id, run_id desc)');
    for (const column of ['host', 'status', 'depth'])
      this.addSql(`create index scans_of_${column} on scans (org_id, ${column}, run_id desc)`);
    // One scan of an org and host at a time: the others wait in the queue.
    this.addSql(`create unique index scans_one_at_a_time on scans (org_id, host)
      where dispatched_at is not null and finished_at is null`);
    // Queued and running scans are few among many finished ones.
    this.addSql(`create index scans_unfinished on scans (org_id, host, run_id) where finished_at is null`);

    this.addSql(`create table outbox (
      id bigint generated always as identity primary key,
      org_id uuid not null references orgs (id) on delete cascade,
      run_id uuid not null references scans (run_id) on delete cascade,
      kind text not null check (kind in ('start', 'cancel')),
      created_at timestamptz not null default now(),
      available_at timestamptz not null default now(),
      attempts integer not null default 0,
      last_error text,
      unique (run_id, kind)
    )`);
    this.addSql('create index outbox_due on outbox (available_at, id)');

    this.addSql(`create table idempotency_keys (
      org_id uuid not null references orgs (id) on delete cascade,
      key text not null check (length(key) between 1 and 255),
      request_hash text not null,
      response jsonb not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      primary key (org_id, key)
    )`);
    this.addSql('create index on idempotency_keys (expires_at)');

    for (const table of ['scans', 'outbox', 'idempotency_keys']) for (const sql of tenantTable(table)) this.addSql(sql);
    this.addSql(systemPath('scans', 'dispatcher', 'select'));
    this.addSql(systemPath('scans', 'dispatcher', 'update'));
    this.addSql(systemPath('outbox', 'dispatcher', 'all'));
    this.addSql(systemPath('idempotency_keys', 'dispatcher', 'all'));
    this.addSql(systemPath('scans', 'worker', 'select'));
  }
}
