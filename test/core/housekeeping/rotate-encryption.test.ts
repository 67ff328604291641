import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Cipher, createCipher, keyIdOf } from '../../../core/crypto.ts';
import { inOrg } from '../../../core/db/session.ts';
import { LoginEntity } from '../../../core/domains/entities.ts';
import { loginContext } from '../../../core/domains/login-settings.ts';
import { documentContext } from '../../../core/domains/scope-documents.ts';
import { ScopeDocumentEntity, ScopeHeaderEntity } from '../../../core/domains/scope-entities.ts';
import { headerContext } from '../../../core/domains/scope-headers.ts';
import { rotateEncryption } from '../../../core/housekeeping/rotate-encryption.ts';
import { RunSecretEntity } from '../../../core/runs/entities.ts';
import { secretContext } from '../../../core/runs/secrets.ts';
import { newOrg, openDatabase } from '../scans/support.ts';

const [a, b] = [
  { id: 'a', key: randomBytes(32) },
  { id: 'b', key: randomBytes(32) },
];
const before = createCipher([a]);
const between = createCipher([b, a]);
const after = createCipher([b]);

const domain = 'example.com';
const names = ['one', 'two', 'three', 'four', 'five'];
const refs = ['cookie', 'token'];
const parts = ['header', 'document'];
const stored = names.length + refs.length + parts.length;

type Place = { orgId: string; domain: string; name: string };
type World = Awaited<ReturnType<typeof openWorld>>;

/** An org with logins, and a run of it with secrets, all under the key "a". */
async function openWorld() {
  const database = await openDatabase();
  const { em } = database;
  const { orgId, start } = await newOrg(em);
  const runId = (await start()).started.runId;
  await inOrg(em, orgId, async (tx) => {
    for (const name of names) {
      const settings = before.encrypt(`secret ${name}`, loginContext({ orgId, domain, name }));
      await tx.insert(LoginEntity, { orgId, domain, name, kind: 'header', role: 'user', settings });
    }
    const [header, document] = parts.map((name) => ({ orgId, domain, name })) as [Place, Place];
    const value = before.encrypt('secret header', headerContext(header));
    await tx.insert(ScopeHeaderEntity, { ...header, value });
    const content = before.encrypt('secret document', documentContext(document));
    await tx.insert(ScopeDocumentEntity, { ...document, format: 'har', requests: 1, content });
    for (const ref of refs) {
      const value = before.encrypt(`secret ${ref}`, secretContext(runId, ref));
      await tx.insert(RunSecretEntity, { orgId, runId, ref, value });
    }
  });
  return { ...database, orgId, runId };
}

/** Every secret that is stored, opened. @throws Error when one cannot be */
const openAll = ({ em, orgId }: World, cipher: Cipher): Promise<string[]> =>
  inOrg(em, orgId, async (tx) => {
    const logins = await tx.find(LoginEntity, {});
    const secrets = await tx.find(RunSecretEntity, {});
    const headers = await tx.find(ScopeHeaderEntity, {});
    const documents = await tx.find(ScopeDocumentEntity, {});
    return [
      ...logins.map((row) => cipher.decrypt(row.settings, loginContext(row))),
      ...headers.map((row) => cipher.decrypt(row.value, headerContext(row))),
      ...documents.map((row) => cipher.decrypt(row.content, documentContext(row))),
      ...secrets.map(({ runId, ref, value }) => cipher.decrypt(value, secretContext(runId, ref))),
    ].sort();
  });

const all = [...names, ...refs, ...parts].map((name) => `secret ${name}`).sort();

/** Columns of all tables in which this org has a text that the key sealed. */
async function columnsUnder({ em, orgId }: World, keyId: string): Promise<string[]> {
  return inOrg(em, orgId, async (tx) => {
    const columns = await tx.execute<{ table: string; column: string }[]>(
      `select table_name as table, column_name as column from information_schema.columns
       where table_schema = 'public' and data_type in ('text', 'jsonb') and table_name not in ('migrations', 'rate_limits')`,
    );
    const found: string[] = [];
    for (const { table, column } of columns) {
      const sql = `select from ${table} where ${column}::text like ? limit 1`;
      if ((await tx.execute<unknown[]>(sql, [`${keyId}.%`])).length > 0) found.push(`${table}.${column}`);
    }
    return found.sort();
  });
}

const test = suite('rotation of the encryption key');

async function inWorld(work: (world: World) => Promise<void>): Promise<void> {
  const world = await openWorld();
  try {
    await work(world);
  } finally {
    await world.close();
  }
}

test('brings everything under the first key, after which the old one can go', () =>
  inWorld(async (world) => {
    assert.equal(await columnsUnder(world, 'a'), [
      'logins.settings',
      'run_secrets.value',
      'scope_documents.content',
      'scope_headers.value',
    ]);
    assert.equal(await rotateEncryption(world.em, between, 2), { rotated: stored, current: 0, unreadable: [] });
    assert.equal(await openAll(world, after), all);
    assert.equal(await columnsUnder(world, 'a'), []);
    assert.equal(await rotateEncryption(world.em, after, 2), { rotated: 0, current: stored, unreadable: [] });
  }));

test('that is interrupted goes on where it was, and what is stored can be read meanwhile', () =>
  inWorld(async (world) => {
    let left = 4;
    const dying: Cipher = {
      ...between,
      encrypt: (plain, context) => {
        if (left-- === 0) throw new Error('killed');
        return between.encrypt(plain, context);
      },
    };
    const error = await rotateEncryption(world.em, dying, 2).catch((reason: Error) => reason.message);
    assert.is(error, 'killed');
    assert.equal(await openAll(world, between), all);
    assert.equal(await rotateEncryption(world.em, between, 2), { rotated: stored - 4, current: 4, unreadable: [] });
    assert.equal(await openAll(world, after), all);
  }));

test('names what it cannot read, by key and place, and leaves it as it was', () =>
  inWorld(async (world) => {
    const { orgId, runId } = world;
    const place = loginContext({ orgId, domain, name: 'two' });
    const foreign = createCipher([{ id: 'c', key: randomBytes(32) }]).encrypt('x', place);
    await inOrg(world.em, orgId, (tx) => tx.nativeUpdate(LoginEntity, { name: 'two' }, { settings: foreign }));
    const { rotated, unreadable } = await rotateEncryption(world.em, between, 2);
    assert.is(rotated, stored - 1);
    assert.equal(unreadable, [{ place: `logins ${place}`, reason: 'key "c": there is no encryption key "c"' }]);
    const wrong = createCipher([a, { id: 'b', key: randomBytes(32) }]);
    const second = await rotateEncryption(world.em, wrong, 2);
    assert.is(second.unreadable.length, stored);
    assert.ok(second.unreadable.some((one) => one.place === `run_secrets ${secretContext(runId, 'token')}`));
    assert.ok(second.unreadable.every(({ reason }) => /^key "[bc]": /.test(reason)));
    await inOrg(world.em, orgId, (tx) => tx.nativeDelete(LoginEntity, { name: 'two' }));
    assert.equal(
      await openAll(world, after),
      all.filter((secret) => secret !== 'secret two'),
    );
  }));

test('does not undo what core writes meanwhile', () =>
  inWorld(async (world) => {
    const { em, orgId } = world;
    const settings = between.encrypt('changed', loginContext({ orgId, domain, name: 'five' }));
    let rotating: Promise<unknown> = Promise.resolve();
    await inOrg(em, orgId, async (tx) => {
      await tx.nativeUpdate(LoginEntity, { name: 'five' }, { settings });
      rotating = rotateEncryption(em, between, 2);
      // It comes to the row and waits for this transaction.
      for (;;) {
        const sql = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        if ((await em.fork().execute<unknown[]>(sql)).length > 0) break;
        await sleep(20);
      }
    });
    await rotating;
    const rows = await inOrg(em, orgId, (tx) => tx.find(LoginEntity, {}));
    assert.ok(rows.every((row) => keyIdOf(row.settings) === 'b'));
    assert.ok((await openAll(world, after)).includes('changed'));
  }));

test.run();
