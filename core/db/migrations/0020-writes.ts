import { Migration } from '@mikro-orm/migrations';

/** What scans of a domain may change on it, and writes that stay on the target or have changed nothing there. */
export class AllowedWrites extends Migration {
  override up(): void {
    this.addSql(`alter table domains add column writes text not null default 'reversible'
      check (writes in ('none', 'reversible', 'create'))`);
    // What is there satisfies the narrower rule from before: no row is looked at while the table is locked.
    this.addSql(`alter table writes drop constraint writes_state_check, add constraint writes_state_check
      check (state in ('pending', 'undone', 'undo_failed', 'left', 'unchanged')) not valid`);
  }
}
