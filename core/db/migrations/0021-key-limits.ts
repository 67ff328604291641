import { Migration } from '@mikro-orm/migrations';

/** Limits of an org across all its keys, and keys that end with the key that made them. */
export class KeyLimits extends Migration {
  override up(): void {
    // With defaults, so that a program of the version before can still make a plan.
    this.addSql(`alter table plans
      add column org_requests_per_minute integer not null default 600 check (org_requests_per_minute > 0),
      add column max_keys integer not null default 50 check (max_keys > 0),
      add column waiting_gates integer not null default 20 check (waiting_gates > 0)`);
    // Row-level security, which binds the owner too, shows plans for a change to operators only.
    this.addSql("select set_config('app.path', 'operator', true)");
    this.addSql(`update plans set org_requests_per_minute = least(requests_per_minute::bigint * 5, 10000000)`);
    this.addSql("update plans set max_keys = 100000, waiting_gates = 100000 where name = 'test'");
    this.addSql("select set_config('app.path', '', true)");

    this.addSql('alter table api_keys add column made_by text references api_keys (key_id)');
    this.addSql('create index api_keys_made_by on api_keys (made_by) where made_by is not null');
    this.keyLookUp();
    this.rateLimits();
  }

  /** As in 0001-tenancy.ts, with the new limits of the plan. A changed result needs a new function. */
  private keyLookUp(): void {
    this.addSql('drop function find_key(text, uuid)');
    this.addSql(`create function find_key(wanted_key_id text, acting_for uuid)
      returns table (kind text, scopes text[], hash bytea, is_live boolean, is_use_stale boolean, org_id uuid,
        plan text, api_access boolean, deep boolean, requests_per_minute integer, starts_per_minute integer,
        retention_days integer, org_requests_per_minute integer, max_keys integer, waiting_gates integer)
      language plpgsql volatile as $$
      begin
        perform set_config('app.path', 'keys', true);
        return query select k.kind, k.scopes, k.hash,
          k.revoked_at is null and (k.expires_at is null or k.expires_at > now()),
          k.last_used_at is null or k.last_used_at < now() - interval '1 minute',
          o.id, p.name, p.api_access, p.deep, p.requests_per_minute, p.starts_per_minute, p.retention_days,
          p.org_requests_per_minute, p.max_keys, p.waiting_gates
        from api_keys k
        left join orgs o on o.id = case when k.kind = 'service' then acting_for else k.org_id end
        left join plans p on p.name = o.plan
        where k.key_id = wanted_key_id;
        perform set_config('app.path', '', true);
      end $$`);
  }

  /**
   * As in 0001-tenancy.ts, with a cost for each bucket: 0 only reports what is left, -1 gives a token back. Programs of the version before go on
   * with the function that has one cost for all.
   */
  private rateLimits(): void {
    this.addSql(`create function take_tokens(buckets text[], per_minute integer[], costs integer[])
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
          allowances := allowances || (tats[i] + every * costs[i] - interval '1 minute' <= at);
          allowed := allowed and allowances[i];
        end loop;
        for i in 1 .. cardinality(buckets) loop
          every := interval '1 minute' / per_minute[i];
          if allowed and costs[i] <> 0 then
            tats[i] := tats[i] + every * costs[i];
            update rate_limits r set tat = tats[i] where r.bucket = buckets[i];
          end if;
          bucket := buckets[i];
          is_allowed := allowances[i];
          remaining := floor(extract(epoch from at + interval '1 minute' - tats[i]) / extract(epoch from every));
          wait_ms := greatest(0, 1000 * extract(epoch from tats[i] + every * costs[i] - interval '1 minute' - at));
          reset_ms := 1000 * extract(epoch from tats[i] - at);
          return next;
        end loop;
      end $$`);
  }
}
