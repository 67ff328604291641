import { Migration } from '@mikro-orm/migrations';

/** The places that an omission counts, so that one that several parts of a run leave out counts once. */
export class OmittedPlaces extends Migration {
  override up(): void {
    this.addSql("alter table omissions add column places text[] not null default '{}'");
  }
}
