import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inOrg } from '../../../core/db/session.ts';
import type { Orchestrator } from '../../../core/dispatch/temporal.ts';
import { purge } from '../../../core/housekeeping/purge.ts';
import { log, newOrg, openDatabase } from '../scans/support.ts';

const { em, owner, close } = await openDatabase();
const test = suite('housekeeping');
test.after(close);

// Housekeeping sends nothing to Temporal.
const deps = { em, log, temporal: {} as Orchestrator };
const signal = new AbortController().signal;

/** Stored answers that have expired, and one that has not. */
async function answers(count: number) {
  const { orgId } = await newOrg(em);
  const left = () => inOrg(em, orgId, (tx) => tx.execute<{ key: string }[]>('select key from idempotency_keys'));
  await inOrg(em, orgId, async (tx) => {
    await tx.execute(
      `insert into idempotency_keys (org_id, key, request_hash, response, expires_at)
       select ?, 'old-' || n, '', '{}', now() - interval '1 hour' from generate_series(1, ?::integer) n`,
      [orgId, count],
    );
    await tx.execute(
      `insert into idempotency_keys (org_id, key, request_hash, response, expires_at)
       values (?, 'new', '', '{}', now() + interval '1 hour')`,
      [orgId],
    );
  });
  return left;
}

test('removes more than one batch, and nothing that has not had its day', async () => {
  const left = await answers(2_500);
  await purge(deps, signal);
  assert.equal(await left(), [{ key: 'new' }]);
});

test('what cannot be removed keeps nothing else from being removed', async () => {
  const left = await answers(3);
  const tx = owner.fork();
  await tx.execute(`create function stuck() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`);
  for (const table of ['idempotency_keys', 'domain_challenges'])
    await tx.execute(`create trigger stuck before delete on ${table} for each statement execute function stuck()`);
  await purge(deps, signal);
  assert.is((await left()).length, 4);
  await tx.execute('drop trigger stuck on idempotency_keys');
  await purge(deps, signal);
  assert.equal(await left(), [{ key: 'new' }]);
});

test.run();
