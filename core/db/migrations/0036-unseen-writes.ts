import { Migration } from '@mikro-orm/migrations';

/** Writes that were accepted, and that nothing showed to have changed anything. */
export class UnseenWrites extends Migration {
  override up(): void {
    // What is there satisfies the narrower rule from before: no row is looked at while the table is locked.
    this.addSql(`alter table writes drop constraint writes_state_check, add constraint writes_state_check
      check (state in ('pending', 'undone', 'undo_failed', 'left', 'unchanged', 'unseen')) not valid`);
  }
}
