import { Migration } from '@mikro-orm/migrations';

/** One round trip for what every call begins with: the look-up of its key, and the tokens that it costs. */
export class BeginCall extends Migration {
  override up(): void {
    // Programs of ours have no plan; the 60,000 a minute only stop one that runs wild. Of the starts of its org a call
    // only sees how many are left. The order of the buckets is the same for all, since calls wait for each other in it.
    this.addSql(`create function begin_call(wanted_key_id text, key_hash bytea, acting_for uuid, shows_starts boolean)
      returns table (kind text, scopes text[], org_id uuid,
        plan text, api_access boolean, deep boolean, requests_per_minute integer, starts_per_minute integer,
        retention_days integer, org_requests_per_minute integer, max_keys integer, waiting_gates integer, taken json)
      language plpgsql volatile as $$
      declare
        found_key record;
        names text[] := '{requests}';
        buckets text[] := array['key:' || wanted_key_id];
        per_minute integer[];
        costs integer[] := '{1}';
        taken_tokens json;
      begin
        select * into found_key from find_key(wanted_key_id, acting_for);
        -- Both are digests of a secret that cannot be guessed: the time of the comparison tells nothing of it.
        if not found or found_key.hash <> key_hash or not found_key.is_live then
          return;
        end if;
        if found_key.is_use_stale then
          perform touch_key(wanted_key_id);
        end if;
        per_minute := array[case when found_key.kind = 'org' then coalesce(found_key.requests_per_minute, 60000) else 60000 end];
        if shows_starts and found_key.org_id is not null then
          names := names || 'starts'::text;
          buckets := buckets || ('starts:' || found_key.org_id);
          per_minute := per_minute || found_key.starts_per_minute;
          costs := costs || 0;
        end if;
        if found_key.kind = 'org' and found_key.org_id is not null then
          names := names || 'org-requests'::text;
          buckets := buckets || ('org:' || found_key.org_id);
          per_minute := per_minute || found_key.org_requests_per_minute;
          costs := costs || 1;
        end if;
        select json_agg(json_build_object('id', t.bucket, 'policyName', names[t.at], 'perMinute', per_minute[t.at],
            'cost', costs[t.at], 'isAllowed', t.is_allowed, 'remaining', t.remaining,
            'waitMs', case when t.is_allowed then 0 else t.wait_ms end, 'resetMs', t.reset_ms) order by t.at)
          into taken_tokens
          from take_tokens(buckets, per_minute, costs) with ordinality as t(bucket, is_allowed, remaining, wait_ms, reset_ms, at);
        return query select found_key.kind, found_key.scopes, found_key.org_id,
          found_key.plan, found_key.api_access, found_key.deep, found_key.requests_per_minute, found_key.starts_per_minute,
          found_key.retention_days, found_key.org_requests_per_minute, found_key.max_keys, found_key.waiting_gates, taken_tokens;
      end $$`);
  }
}
