import { Migration } from '@mikro-orm/migrations';

/** Logins by browser, and logins with a one-time password. */
export class Logins extends Migration {
  override up(): void {
    this.addSql(`alter table logins drop constraint logins_kind_check,
      add check (kind in ('form', 'json', 'bearer', 'header', 'cookie', 'browser')),
      add column totp boolean not null default false`);
  }
}
