import type { EntityManager } from '@mikro-orm/postgresql';
import { type Cipher, keyIdOf } from '../crypto.ts';
import { inSystem } from '../db/session.ts';
import { loginContext } from '../domains/login-settings.ts';
import { documentContext } from '../domains/scope-documents.ts';
import { headerContext } from '../domains/scope-headers.ts';
import { secretContext } from '../runs/secrets.ts';

type SealedRow = { sealed: string } & Record<string, string>;

/** Where encrypted texts are stored, and what each is bound to. */
const stores = [
  {
    table: 'logins',
    column: 'settings',
    key: ['org_id', 'domain', 'name'],
    context: ({ org_id: orgId = '', domain = '', name = '' }: SealedRow) => loginContext({ orgId, domain, name }),
  },
  {
    table: 'scope_headers',
    column: 'value',
    key: ['org_id', 'domain', 'name'],
    context: ({ org_id: orgId = '', domain = '', name = '' }: SealedRow) => headerContext({ orgId, domain, name }),
  },
  {
    table: 'scope_documents',
    column: 'content',
    key: ['org_id', 'domain', 'name'],
    context: ({ org_id: orgId = '', domain = '', name = '' }: SealedRow) => documentContext({ orgId, domain, name }),
  },
  {
    table: 'run_secrets',
    column: 'value',
    key: ['run_id', 'ref'],
    context: ({ run_id: runId = '', ref = '' }: SealedRow) => secretContext(runId, ref),
  },
] as const;

type Store = (typeof stores)[number];

type EncryptionRotation = {
  /** Encrypted anew. */
  rotated: number;
  /** That were under the current key, and could be read. */
  current: number;
  /** What no key opens: where it is, and why. Left as it was. */
  unreadable: { place: string; reason: string }[];
};

/**
 * Brings every stored secret under the current key, and reads those that are under it already: afterwards the other
 * keys are of no use, unless something is unreadable. Each batch is a transaction that locks its rows, so core may serve
 * meanwhile, and what was done stays done when this is interrupted: it takes up there when it is called again.
 * @param batchSize few, as each of them may be a document of megabytes
 */
export async function rotateEncryption(em: EntityManager, cipher: Cipher, batchSize = 10): Promise<EncryptionRotation> {
  const total: EncryptionRotation = { rotated: 0, current: 0, unreadable: [] };
  for (const store of stores) {
    let after: string[] | undefined;
    do {
      const rows: SealedRow[] = await inSystem(em, 'rotation', async (tx) => {
        const batch = await readBatch(tx, store, after, batchSize);
        for (const row of batch) await rotate(tx, store, row, cipher, total);
        return batch;
      });
      after = rows.length < batchSize ? undefined : keyOf(store, rows.at(-1));
    } while (after);
  }
  return total;
}

const keyOf = ({ key }: Store, row: SealedRow | undefined): string[] => key.map((column) => row?.[column] ?? '');

function readBatch(tx: EntityManager, store: Store, after: string[] | undefined, limit: number): Promise<SealedRow[]> {
  const { table, column, key } = store;
  const keys = key.join(', ');
  const beyond = after ? `where (${keys}) > (${key.map(() => '?').join(', ')})` : '';
  return tx.execute<SealedRow[]>(
    `select ${keys}, ${column} as sealed from ${table} ${beyond} order by ${keys} limit ? for update`,
    [...(after ?? []), limit],
  );
}

async function rotate(
  tx: EntityManager,
  store: Store,
  row: SealedRow,
  cipher: Cipher,
  total: EncryptionRotation,
): Promise<void> {
  const { table, column, key } = store;
  const context = store.context(row);
  const isCurrent = keyIdOf(row.sealed) === cipher.currentId;
  let plain: string;
  try {
    plain = cipher.decrypt(row.sealed, context);
  } catch (error) {
    const reason = `key "${keyIdOf(row.sealed)}": ${error instanceof Error ? error.message : String(error)}`;
    total.unreadable.push({ place: `${table} ${context}`, reason });
    return;
  }
  if (isCurrent) {
    total.current += 1;
    return;
  }
  const where = key.map((name) => `${name} = ?`).join(' and ');
  await tx.execute(`update ${table} set ${column} = ? where ${where}`, [
    cipher.encrypt(plain, context),
    ...keyOf(store, row),
  ]);
  total.rotated += 1;
}
