import { Migration } from '@mikro-orm/migrations';

/** Scans are listed by time, with indexes of their own: those by run id give the order of the primary key, which was taken instead. */
export class OrderOfScans extends Migration {
  override up(): void {
    for (const name of ['newest', 'of_host', 'of_status', 'of_depth'])
      this.addSql(`drop index if exists scans_${name}`);
  }
}
