import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startDemo } from '../../../dev/demo/demo.ts';
import { type IdentityName, identities } from '../../../dev/demo/identities.ts';
import type { Check } from '../../../workflows/checks/contract.ts';
import { loadRegistry } from '../../../workflows/checks/registry.ts';
import type { Fact } from '../../../workflows/model/fact.ts';
import type { BrowserPool } from '../../../workflows/probe/browser/launch.ts';
import { type Audit, check, openAudit, step, type TestIdentity, testBrowsers } from '../../workflows/checks/harness.ts';

/** Logging in is what every visitor does, and leaves a session there until it expires; nothing else may be left. */
const ofEveryVisitor = ['sessions'];

/** Everything that a shop knows: all rows of all tables. */
function dump(file: string): Record<string, unknown[]> {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
    const names = tables.map(({ name }) => String(name)).filter((name) => !ofEveryVisitor.includes(name));
    return Object.fromEntries(
      names.map((name) => [name, database.prepare(`SELECT * FROM "${name}" ORDER BY rowid`).all()]),
    );
  } finally {
    database.close();
  }
}

const customer = (name: IdentityName): TestIdentity => ({
  ...{ name, role: name === 'admin' ? 'admin' : 'user', checkPath: '/account', marker: identities[name].email },
  login: { path: '/login', username: identities[name].email, password: identities[name].password },
});

/**
 * Checks and chain steps, each once; the planner is not asked which of them are worth it.
 * @param isTried which of the checks that are deep or give a fact
 * @returns ids of what wrote
 */
async function auditWith(audit: Audit, isTried: (check: Check) => boolean): Promise<string[]> {
  const { families, steps } = await loadRegistry();
  const facts: Fact[] = [];
  const wrote: string[] = [];
  const noting = async (id: string, work: Promise<{ facts: Fact[] }>) => {
    const before = audit.writes.length;
    facts.push(...(await work).facts);
    if (audit.writes.length > before) wrote.push(id);
  };
  for (const each of families.flatMap(({ checks }) => checks))
    if ((each.depth === 'deep' || each.gives) && isTried(each)) await noting(each.id, check(audit, each));
  for (const each of steps) {
    const found = each.needs.map(({ kind }) => facts.find((fact) => fact.kind === kind));
    const bindings = found.filter((fact) => fact !== undefined);
    if (bindings.length === found.length) await noting(each.id, step(audit, each, bindings));
  }
  return wrote;
}

const mayWrite = ({ risk }: Check): boolean => risk === 'caution';

type World = { folder: string; browsers: BrowserPool };
const shop = suite<World>('the database of an audited shop');
shop.before(async (world) => {
  world.folder = await mkdtemp(join(tmpdir(), 'demo-unchanged-'));
  world.browsers = testBrowsers();
});
shop.after(async ({ folder, browsers }) => {
  await browsers.close();
  await rm(folder, { recursive: true });
});

for (const [which, patched, writing] of [
  ['as built', false, ['access.mass-assignment', 'auth.csrf', 'chains.raise-role']],
  ['patched', true, ['access.mass-assignment']],
] as const) {
  const isUnchangedBy =
    (isTried: (check: Check) => boolean) =>
    async ({ folder, browsers }: World) => {
      const demo = await startDemo({ folder, port: 0, patched });
      const file = join(folder, patched ? 'shop-patched' : 'shop', 'shop.db');
      const before = dump(file);
      assert.ok((before.users?.length ?? 0) >= 3 && (before.orders?.length ?? 0) > 0);
      const names: IdentityName[] = ['a', 'b', 'admin'];
      const authority = await readFile(demo.caFile, 'utf8');
      const audit = await openAudit(demo.url, {
        identities: names.map(customer),
        authority,
        browsers,
        timeLimitMs: 400_000,
      });
      try {
        const wrote = await auditWith(audit, isTried);
        for (const id of writing) assert.ok(wrote.includes(id), `${id} wrote nothing: ${wrote.join(', ')}`);
        assert.is(audit.undone.length, audit.writes.length);
        assert.equal(dump(file), before);
      } finally {
        await audit.close();
        await demo.close();
      }
    };
  shop(`${which} is the same before and after the checks that may write`, isUnchangedBy(mayWrite));
  shop(
    `${which} is the same before and after all checks and steps`,
    isUnchangedBy(() => true),
  );
}

shop.run();
