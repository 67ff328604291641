import { Migration } from '@mikro-orm/migrations';
import { systemPath } from './row-security.ts';

/**
 * Finished scans go when the retention of their org's plan has ended. The application may not delete scans; this function,
 * with its owner's rights, deletes those and no others.
 */
export class Retention extends Migration {
  override up(): void {
    this.addSql('create index scans_finished on scans (finished_at) where finished_at is not null');
    this.addSql(systemPath('scans', 'retention', 'all'));
    this.addSql(systemPath('orgs', 'retention', 'select'));
    this.addSql(`create function delete_scans_past_retention(max_scans integer) returns integer
      language plpgsql security definer set search_path = public, pg_temp as $$
        declare
          path text := current_setting('app.path', true);
          deleted integer;
        begin
          perform set_config('app.path', 'retention', true);
          delete from scans where run_id in (
            select run_id from scans s join orgs o on o.id = s.org_id join plans p on p.name = o.plan
            where s.finished_at < now() - make_interval(days => p.retention_days)
            order by s.finished_at limit max_scans for update of s skip locked
          );
          get diagnostics deleted = row_count;
          perform set_config('app.path', path, true);
          return deleted;
        end $$`);
    this.addSql('revoke execute on function delete_scans_past_retention from public');
  }
}
