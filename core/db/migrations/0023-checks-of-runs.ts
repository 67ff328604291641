import { Migration } from '@mikro-orm/migrations';

/** Which scan a look for a proof is the first step of. */
export class ChecksOfRuns extends Migration {
  override up(): void {
    this.addSql('alter table domain_checks add column run_id uuid');
  }
}
