import { Migration } from '@mikro-orm/migrations';

/** Credit that can always be given back, and retention whose cost does not grow with what is kept. */
export class Bounds extends Migration {
  override up(): void {
    // Adding integers fails beyond 2^31 - 1 (SQLSTATE 22003). A release moves credit from one of the two to the other, so
    // it never fails where their sum can be counted; what a grant would make uncountable is refused.
    this.addSql('alter table credit_accounts add constraint credit_countable check (available + reserved >= 0)');

    // Each org's oldest scans are found by index: what plans keep for years is never read on the way.
    this.addSql('create index scans_finished_of_org on scans (org_id, finished_at) where finished_at is not null');
    this.addSql(`create or replace function delete_scans_past_retention(max_scans integer) returns integer
      language plpgsql security definer set search_path = public, pg_temp as $$
        declare
          path text := current_setting('app.path', true);
          deleted integer;
        begin
          perform set_config('app.path', 'retention', true);
          delete from scans where run_id in (
            select due.run_id from orgs o join plans p on p.name = o.plan cross join lateral (
              select s.run_id from scans s
              where s.org_id = o.id and s.finished_at < now() - make_interval(days => p.retention_days)
              order by s.finished_at limit max_scans for update skip locked
            ) due limit max_scans
          );
          get diagnostics deleted = row_count;
          perform set_config('app.path', path, true);
          return deleted;
        end $$`);
  }
}
