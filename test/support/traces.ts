import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { Client, Connection } from '@temporalio/client';
import { withClient } from '../../dev/postgres.ts';

/** All that is left of what happened, as texts: for tests that look for what must not be among it. */

/** All rows of all tables, bytes as text and unpacked. @param url of the tables' owner */
export const databaseText = (url: string): Promise<string> =>
  withClient(url, async (client) => {
    const tables = await client.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public'`,
    );
    const texts: string[] = [];
    for (const { name } of tables.rows) {
      const table = client.escapeIdentifier(name);
      // Its owner, whom row-level security binds as well, unless it is disabled.
      await client.query(`alter table ${table} no force row level security`);
      const { rows } = await client.query<Record<string, unknown>>(`select * from ${table}`);
      for (const row of rows) texts.push(name, plainText(await unpacked(row)));
    }
    return texts.join('\n');
  });

const decompress = promisify(zstdDecompress);

/** RFC 8878 §3.1.1. */
const zstdMagic = Buffer.from('28b52ffd', 'hex');

async function unpacked(row: Record<string, unknown>): Promise<Record<string, unknown>> {
  const members = Object.entries(row).map(async ([name, value]) =>
    Buffer.isBuffer(value) && value.subarray(0, 4).equals(zstdMagic) ? [name, await decompress(value)] : [name, value],
  );
  return Object.fromEntries(await Promise.all(members));
}

/** Every event of a workflow with its payloads. */
export async function historyText(address: string, workflowId: string): Promise<string> {
  const connection = await Connection.connect({ address });
  try {
    return plainText(await new Client({ connection }).workflow.getHandle(workflowId).fetchHistory());
  } finally {
    await connection.close();
  }
}

/** Any value as JSON, bytes as the text that they are. */
export const plainText = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) => {
    if (typeof member === 'bigint') return String(member);
    if (member instanceof Uint8Array) return Buffer.from(member).toString('utf8');
    return isBufferJson(member) ? Buffer.from(member.data).toString('utf8') : member;
  });

const isBufferJson = (value: unknown): value is { type: 'Buffer'; data: number[] } =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer' && 'data' in value;
