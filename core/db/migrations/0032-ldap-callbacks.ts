import { Migration } from '@mikro-orm/migrations';

/** Audited hosts call by LDAP as well. */
export class LdapCallbacks extends Migration {
  /** Without a look at the rows that are there: they fit, since the list only grows. */
  override up(): void {
    this.addSql('alter table callbacks drop constraint callbacks_protocol_check');
    this.addSql(
      "alter table callbacks add constraint callbacks_protocol_check check (protocol in ('http', 'https', 'dns', 'smtp', 'ldap')) not valid",
    );
  }
}
