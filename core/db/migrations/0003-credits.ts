import { Migration } from '@mikro-orm/migrations';
import { tenantTable } from './row-security.ts';

/** The credit ledger. The application may add to it, never change it (privileges.ts). */
export class Credits extends Migration {
  override up(): void {
    this.addSql(`create table credit_accounts (
      org_id uuid primary key references orgs (id) on delete cascade,
      available integer not null default 0 check (available >= 0),
      reserved integer not null default 0 check (reserved >= 0)
    )`);
    this.addSql(`create table credit_holds (
      id uuid primary key,
      org_id uuid not null references orgs (id) on delete cascade,
      amount integer not null check (amount > 0),
      state text not null default 'held' check (state in ('held', 'settled', 'released')),
      created_at timestamptz not null default now(),
      resolved_at timestamptz,
      check ((state = 'held') = (resolved_at is null))
    )`);
    this.addSql(`create table ledger_transactions (
      id uuid primary key,
      org_id uuid not null references orgs (id) on delete cascade,
      kind text not null check (kind in ('grant', 'reserve', 'settle', 'release')),
      hold_id uuid references credit_holds (id),
      reason text not null,
      idempotency_key text,
      created_at timestamptz not null default now(),
      unique (org_id, idempotency_key),
      check ((kind = 'grant') = (idempotency_key is not null)),
      check ((kind = 'grant') = (hold_id is null))
    )`);
    // A hold is taken once and resolved once, whatever the application does.
    this.addSql(`create unique index ledger_hold_taken on ledger_transactions (hold_id) where kind = 'reserve'`);
    this.addSql(
      `create unique index ledger_hold_resolved on ledger_transactions (hold_id) where kind in ('settle', 'release')`,
    );
    this.addSql('create index on ledger_transactions (org_id, created_at)');
    this.addSql(`create table ledger_entries (
      transaction_id uuid not null references ledger_transactions (id) on delete cascade,
      account text not null check (account in ('granted', 'available', 'reserved', 'spent')),
      org_id uuid not null references orgs (id) on delete cascade,
      amount integer not null check (amount <> 0),
      primary key (transaction_id, account)
    )`);
    this.addSql('create index on ledger_entries (org_id)');
    for (const table of ['credit_accounts', 'credit_holds', 'ledger_transactions', 'ledger_entries'])
      for (const sql of tenantTable(table)) this.addSql(sql);
    this.balance();
  }

  /** At commit the entries of each transaction sum to 0. */
  private balance(): void {
    this.addSql(`create function check_ledger_balance() returns trigger language plpgsql as $$
      begin
        if (select sum(amount) from ledger_entries where transaction_id = new.transaction_id) <> 0 then
          raise exception 'ledger transaction % does not sum to 0', new.transaction_id using errcode = 'check_violation';
        end if;
        return null;
      end $$`);
    this.addSql(`create constraint trigger ledger_balance after insert on ledger_entries
      deferrable initially deferred for each row execute function check_ledger_balance()`);
  }
}
