import { Migration } from '@mikro-orm/migrations';
import { systemPath, tenantTable } from './row-security.ts';

/** Granted credit may have an end, and every movement for a scan names it. */
export class CreditExpiry extends Migration {
  override up(): void {
    this.addSql(`alter table ledger_transactions add column run_id uuid,
      drop constraint ledger_transactions_kind_check,
      drop constraint ledger_transactions_check1,
      add constraint ledger_kind check (kind in ('grant', 'reserve', 'settle', 'release', 'expire')),
      add constraint ledger_hold check ((kind in ('grant', 'expire')) = (hold_id is null))`);
    this.addSql('create index ledger_history on ledger_transactions (org_id, id)');
    this.addSql(`alter table ledger_entries drop constraint ledger_entries_account_check,
      add constraint ledger_account check (account in ('granted', 'available', 'reserved', 'spent', 'expired'))`);
    this.addSql(`create table credit_lots (
      id uuid primary key references ledger_transactions (id) on delete cascade,
      org_id uuid not null references orgs (id) on delete cascade,
      amount integer not null check (amount > 0),
      remaining integer not null check (remaining between 0 and amount),
      expires_at timestamptz not null
    )`);
    this.addSql('create index credit_lots_due on credit_lots (expires_at) where remaining > 0');
    this.addSql('create index on credit_lots (org_id)');
    this.addSql(`create table credit_draws (
      hold_id uuid not null references credit_holds (id) on delete cascade,
      lot_id uuid not null references credit_lots (id) on delete cascade,
      org_id uuid not null references orgs (id) on delete cascade,
      amount integer not null check (amount > 0),
      primary key (hold_id, lot_id)
    )`);
    for (const table of ['credit_lots', 'credit_draws']) for (const sql of tenantTable(table)) this.addSql(sql);
    this.addSql(systemPath('credit_lots', 'dispatcher', 'select'));
  }
}
