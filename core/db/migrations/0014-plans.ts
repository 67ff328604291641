import { Migration } from '@mikro-orm/migrations';
import { systemPath } from './row-security.ts';

/** Plans can be read by everybody and changed by operators only, whatever the application's role may do. */
export class Plans extends Migration {
  override up(): void {
    this.addSql('alter table plans enable row level security');
    this.addSql('alter table plans force row level security');
    this.addSql('create policy readable on plans for select using (true)');
    this.addSql(systemPath('plans', 'operator', 'all'));
  }
}
