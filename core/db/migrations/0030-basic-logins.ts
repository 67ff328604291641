import { Migration } from '@mikro-orm/migrations';

/** Logins by HTTP Basic authentication. */
export class BasicLogins extends Migration {
  override up(): void {
    this.addSql('alter table logins drop constraint logins_kind_check');
    this.addSql(
      "alter table logins add constraint logins_kind_check check (kind in ('form', 'json', 'bearer', 'basic', 'header', 'cookie', 'browser')) not valid",
    );
  }
}
