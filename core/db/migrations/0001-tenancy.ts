import { Migration } from '@mikro-orm/migrations';
import { systemPath, tenantTable } from './row-security.ts';

/** Plans, orgs, API keys and rate limits. */
export class Tenancy extends Migration {
  override up(): void {
    // A setting that was made for a transaction reads as '' after it, not as null.
    this.addSql(`create function current_org() returns uuid language sql stable
      return nullif(current_setting('app.org_id', true), '')::uuid`);

    this.addSql(`create table plans (
      name text primary key,
      api_access boolean not null,
      deep boolean not null,
      requests_per_minute integer not null check (requests_per_minute > 0),
      starts_per_minute integer not null check (starts_per_minute > 0),
      retention_days integer not null check (retention_days > 0)
    )`);
    this.addSql(`insert into plans values
      ('free', false, false, 120, 20, 30),
      ('team', true, false, 120, 20, 365),
      ('business', true, true, 120, 20, 730),
      ('test', true, true, 1000000, 1000000, 1)`);

    this.addSql(`create table orgs (
      id uuid primary key,
      name text not null,
      plan text not null references plans (name),
      gate_threshold smallint not null default 0 check (gate_threshold between 0 and 6),
      created_at timestamptz not null default now()
    )`);
    for (const sql of tenantTable('orgs', 'id')) this.addSql(sql);
    this.addSql(systemPath('orgs', 'keys', 'select'));
    this.addSql(systemPath('orgs', 'operator', 'all'));

    this.addSql(`create table api_keys (
      key_id text primary key,
      org_id uuid references orgs (id) on delete cascade,
      kind text not null check (kind in ('org', 'service', 'worker', 'operator')),
      name text not null,
      scopes text[] not null,
      hash bytea not null check (length(hash) = 32),
      created_at timestamptz not null default now(),
      expires_at timestamptz,
      last_used_at timestamptz,
      revoked_at timestamptz,
      check ((kind = 'org') = (org_id is not null))
    )`);
    this.addSql('create index on api_keys (org_id, created_at)');
    for (const sql of tenantTable('api_keys')) this.addSql(sql);
    this.addSql(systemPath('api_keys', 'keys', 'select'));
    this.addSql(systemPath('api_keys', 'keys', 'update'));
    this.addSql(systemPath('api_keys', 'operator', 'all'));
    this.keyLookUp();
    this.rateLimits();
  }

  /** One round trip for the first thing that every call does: the functions open the path, read, and close it. */
  private keyLookUp(): void {
    this.addSql(`create function find_key(wanted_key_id text, acting_for uuid)
      returns table (kind text, scopes text[], hash bytea, is_live boolean, is_use_stale boolean, org_id uuid,
        plan text, api_access boolean, deep boolean, requests_per_minute integer, starts_per_minute integer,
        retention_days integer)
      language plpgsql volatile as $$
      begin
        perform set_config('app.path', 'keys', true);
        return query select k.kind, k.scopes, k.hash,
          k.revoked_at is null and (k.expires_at is null or k.expires_at > now()),
          k.last_used_at is null or k.last_used_at < now() - interval '1 minute',
          o.id, p.name, p.api_access, p.deep, p.requests_per_minute, p.starts_per_minute, p.retention_days
        from api_keys k
        left join orgs o on o.id = case when k.kind = 'service' then acting_for else k.org_id end
        left join plans p on p.name = o.plan
        where k.key_id = wanted_key_id;
        perform set_config('app.path', '', true);
      end $$`);
    this.addSql(`create function touch_key(used_key_id text) returns void language plpgsql volatile as $$
      begin
        perform set_config('app.path', 'keys', true);
        update api_keys set last_used_at = now()
        where key_id = used_key_id and (last_used_at is null or last_used_at < now() - interval '1 minute');
        perform set_config('app.path', '', true);
      end $$`);
  }

  /**
   * Generic cell rate algorithm (ITU-T I.371): a bucket is full again at its theoretical arrival time, \`tat\`.
   * All buckets of a call give a token or none does. One clock: the database's.
   */
  private rateLimits(): void {
    // Unlogged: no WAL, so no wait for the disk. A crash of PostgreSQL refills the buckets.
    this.addSql(`create unlogged table rate_limits (bucket text primary key, tat timestamptz not null)
      with (fillfactor = 50)`);
    this.addSql(`create function take_tokens(buckets text[], per_minute integer[], cost integer)
      returns table (bucket text, is_allowed boolean, remaining integer, wait_ms double precision, reset_ms double precision)
      language plpgsql volatile as $$
      declare
        at timestamptz;
        stored timestamptz;
        tats timestamptz[] := '{}';
        every interval;
        allowed boolean := true;
        allowances boolean[] := '{}';
        i integer;
      begin
        for i in 1 .. cardinality(buckets) loop
          select r.tat into stored from rate_limits r where r.bucket = buckets[i] for update;
          if not found then
            insert into rate_limits values (buckets[i], '-infinity') on conflict do nothing;
            select r.tat into stored from rate_limits r where r.bucket = buckets[i] for update;
          end if;
          tats := tats || stored;
        end loop;
        -- Read after the locks: nobody else decides on these buckets with a later clock than ours.
        at := clock_timestamp();
        for i in 1 .. cardinality(buckets) loop
          every := interval '1 minute' / per_minute[i];
          tats[i] := greatest(tats[i], at);
          allowances := allowances || (tats[i] + every * cost - interval '1 minute' <= at);
          allowed := allowed and allowances[i];
        end loop;
        for i in 1 .. cardinality(buckets) loop
          every := interval '1 minute' / per_minute[i];
          if allowed and cost > 0 then
            tats[i] := tats[i] + every * cost;
            update rate_limits r set tat = tats[i] where r.bucket = buckets[i];
          end if;
          bucket := buckets[i];
          is_allowed := allowances[i];
          remaining := floor(extract(epoch from at + interval '1 minute' - tats[i]) / extract(epoch from every));
          wait_ms := greatest(0, 1000 * extract(epoch from tats[i] + every * cost - interval '1 minute' - at));
          reset_ms := 1000 * extract(epoch from tats[i] - at);
          return next;
        end loop;
      end $$`);
  }
}
