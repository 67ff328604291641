import { Migration } from '@mikro-orm/migrations';
import { systemPath } from './row-security.ts';

/** Opens what is encrypted, and nothing else, to the one who encrypts it anew under another key. */
export class Rotation extends Migration {
  override up(): void {
    for (const table of ['logins', 'run_secrets'])
      for (const command of ['select', 'update'] as const) this.addSql(systemPath(table, 'rotation', command));
  }
}
