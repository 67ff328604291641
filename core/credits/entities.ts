import { defineEntity, p } from '@mikro-orm/core';

/** An org's balances: the sums of its ledger entries, kept so that one statement can check and take. */
export const CreditAccountEntity = defineEntity({
  name: 'CreditAccount',
  tableName: 'credit_accounts',
  properties: {
    orgId: p.uuid().primary(),
    available: p.integer().default(0),
    reserved: p.integer().default(0),
  },
});

const holdStates = ['held', 'settled', 'released'] as const;

/** Credit taken for work that has not ended. Resolved once: settled or released. */
export const CreditHoldEntity = defineEntity({
  name: 'CreditHold',
  tableName: 'credit_holds',
  properties: {
    id: p.uuid().primary(),
    orgId: p.uuid(),
    amount: p.integer(),
    state: p.enum(holdStates).columnType('text').default('held'),
    createdAt: p.datetime().defaultRaw('now()'),
    resolvedAt: p.datetime().nullable(),
  },
});

const transactionKinds = ['grant', 'reserve', 'settle', 'release', 'expire'] as const;

export const LedgerTransactionEntity = defineEntity({
  name: 'LedgerTransaction',
  tableName: 'ledger_transactions',
  properties: {
    id: p.uuid().primary(),
    orgId: p.uuid(),
    kind: p.enum(transactionKinds).columnType('text'),
    holdId: p.uuid().nullable(),
    /** The scan that it is for. Scans go with time, movements do not. */
    runId: p.uuid().nullable(),
    reason: p.text(),
    /** Of a grant: the same key of an org grants once. */
    idempotencyKey: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** `granted` is where credit comes from, `spent` and `expired` where it goes. */
const ledgerAccounts = ['granted', 'available', 'reserved', 'spent', 'expired'] as const;

/** One side of a transaction. The entries of a transaction sum to 0. Never changed, never deleted. */
export const LedgerEntryEntity = defineEntity({
  name: 'LedgerEntry',
  tableName: 'ledger_entries',
  properties: {
    transactionId: p.uuid().primary(),
    account: p.enum(ledgerAccounts).columnType('text').primary(),
    orgId: p.uuid(),
    amount: p.integer(),
  },
});

/** Credit that was granted until a day. */
export const CreditLotEntity = defineEntity({
  name: 'CreditLot',
  tableName: 'credit_lots',
  properties: {
    /** Of the transaction that granted it. */
    id: p.uuid().primary(),
    orgId: p.uuid(),
    amount: p.integer(),
    /** Neither held, spent nor expired. */
    remaining: p.integer(),
    expiresAt: p.datetime(),
  },
});

/** What a hold took out of a lot, so that it can be given back there. */
export const CreditDrawEntity = defineEntity({
  name: 'CreditDraw',
  tableName: 'credit_draws',
  properties: {
    holdId: p.uuid().primary(),
    lotId: p.uuid().primary(),
    orgId: p.uuid(),
    amount: p.integer(),
  },
});
