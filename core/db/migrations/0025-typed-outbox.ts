import { Migration } from '@mikro-orm/migrations';

/** Messages of any kind, each with what it says and a key under which it is left once; not of scans alone. */
export class TypedOutbox extends Migration {
  override up(): void {
    this.addSql("alter table outbox add column payload jsonb not null default '{}'");
    // Row level security binds the owner too: it does this as the path that delivers them.
    this.addSql("select set_config('app.path', 'dispatcher', true)");
    this.addSql(`update outbox o set payload = jsonb_build_object('runId', s.run_id, 'depth', s.depth)
      from scans s where s.run_id = o.run_id`);
    this.addSql("select set_config('app.path', '', true)");
    this.addSql('alter table outbox drop constraint outbox_run_id_fkey, drop constraint outbox_kind_check');
    this.addSql('alter table outbox alter column run_id type text using run_id::text');
    this.addSql('alter table outbox rename column run_id to key');
    this.addSql('alter table outbox rename constraint outbox_run_id_kind_key to outbox_key_kind_key');
  }
}
