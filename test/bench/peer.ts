/**
 * What the API is measured against: a bare Fastify handler that does the same key look-up, limit statement and query,
 * one transaction each, with `pg` and nothing else.
 */
import { createHash, randomUUID } from 'node:crypto';
import fastify from 'fastify';
import { Pool, type PoolClient } from 'pg';

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const app = fastify();

async function inTransaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

/** @returns the caller's org, or undefined when the key is not valid or has called too often */
async function admit(authorization: string | undefined): Promise<string | undefined> {
  const key = authorization?.slice('Bearer '.length) ?? '';
  const keyId = key.split('_')[1] ?? '';
  const found = (await pool.query('select * from find_key($1, null)', [keyId])).rows[0];
  const hash = createHash('sha256').update(key).digest();
  if (!found || !hash.equals(found.hash) || !found.is_live) return undefined;
  const { rows } = await pool.query('select * from take_tokens($1, $2, 1)', [
    [`key:${keyId}`],
    [found.requests_per_minute],
  ]);
  return rows[0].is_allowed ? found.org_id : undefined;
}

app.get<{ Params: { id: string } }>('/scans/:id', async (request, reply) => {
  const orgId = await admit(request.headers.authorization);
  if (!orgId) return reply.code(401).send();
  return inTransaction(async (client) => {
    await client.query("select set_config('app.org_id', $1, true)", [orgId]);
    const { rows } = await client.query('select * from scans where run_id = $1 and org_id = $2', [
      request.params.id,
      orgId,
    ]);
    return rows[0] ?? reply.code(404).send();
  });
});

app.post<{ Body: { url: string } }>('/scans', async (request, reply) => {
  const orgId = await admit(request.headers.authorization);
  if (!orgId) return reply.code(401).send();
  const { host } = new URL(request.body.url);
  const { runId } = await inTransaction(async (client) => {
    await client.query("select set_config('app.org_id', $1, true)", [orgId]);
    await client.query('select 1 from domains where org_id = $1 and withdrawn_at is null', [orgId]);
    const holdId = randomUUID();
    await client.query(
      'update credit_accounts set available = available - 1, reserved = reserved + 1 where org_id = $1',
      [orgId],
    );
    await client.query('insert into credit_holds (id, org_id, amount) values ($1, $2, 1)', [holdId, orgId]);
    const { rows } = await client.query(
      `insert into scans (run_id, org_id, key_id, host, url, depth, credits, hold_id, domain, ownership_method, ownership_verified_at)
       values (uuidv7(), $1, 'peer', $2, $3, 'standard', 1, $4, $2, 'operator', now()) returning run_id as "runId"`,
      [orgId, host, request.body.url, holdId],
    );
    await client.query(
      "insert into outbox (org_id, key, kind, payload) values ($1, $2, 'start', jsonb_build_object('runId', $2::text, 'depth', 'standard'))",
      [orgId, rows[0].runId],
    );
    return rows[0];
  });
  return reply.code(201).send({ runId, host });
});

await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
console.log(JSON.stringify({ ready: 'peer', port: typeof address === 'object' ? address?.port : undefined }));
process.once('SIGTERM', async () => {
  await app.close();
  await pool.end();
});
