import { Migration } from '@mikro-orm/migrations';

/** Whether scans send the headers of a domain's scope over plain http, too. */
export class HeadersOverHttp extends Migration {
  override up(): void {
    this.addSql('alter table domains add column headers_over_http boolean not null default false');
  }
}
