import { Migration } from '@mikro-orm/migrations';
import { systemPath } from './row-security.ts';

/** What the operations port counts across all orgs. */
export class Metrics extends Migration {
  override up(): void {
    this.addSql(systemPath('scans', 'metrics', 'select'));
    this.addSql(systemPath('outbox', 'metrics', 'select'));
    this.addSql(systemPath('credit_accounts', 'metrics', 'select'));
  }
}
