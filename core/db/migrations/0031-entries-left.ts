import { Migration } from '@mikro-orm/migrations';

/** How many requests of a scan may have left an entry on the target, counted when it ends. */
export class EntriesLeft extends Migration {
  override up(): void {
    this.addSql('alter table scans add column entries_left integer not null default 0');
  }
}
