import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Finding } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import { type Write, WriteState } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { Depth, type Scan, ScanStatus } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { loadRegistry } from '../../workflows/checks/registry.ts';
import type { BrowserPool } from '../../workflows/probe/browser/launch.ts';
import { honestForms } from '../fixtures/traps/honest-forms.ts';
import { honestPages } from '../fixtures/traps/honest-pages.ts';
import { startTrapSite, type TrapSite } from '../fixtures/traps/site.ts';
import { accounts, type Change } from '../fixtures/traps/state.ts';
import { traps } from '../fixtures/traps/tables/all.ts';
import type { Area, TrapPage } from '../fixtures/traps/trap.ts';
import { further } from '../support/further.ts';
import { testBrowsers } from '../workflows/checks/harness.ts';
import { hasEnded } from '../workflows/support/installation.ts';
import { ledgerOf } from '../workflows/support/ledger.ts';
import { openWorkbench, type Workbench } from '../workflows/support/workbench.ts';

type Given = { bench: Workbench; browsers: BrowserPool };
const harmless = suite<Given>('a site full of traps');

harmless.before(async (given) => {
  given.browsers = testBrowsers();
  given.bench = await openWorkbench(await loadRegistry(), given.browsers);
});
harmless.after(async ({ bench, browsers }) => {
  await bench.close();
  await browsers.close();
});

harmless('has at least 150 traps in at least 12 languages', () => {
  assert.ok(traps.length >= 150, `${traps.length} traps`);
  assert.ok(new Set(traps.map(({ language }) => language)).size >= 12);
  assert.is(new Set(traps.map(({ id }) => id)).size, traps.length, 'two traps have one name');
});

/** Their pages, and those of traps without a language of their own, are enough to show every day that nothing is sprung. */
const everyDay: readonly string[] = ['en', 'de', 'ru', 'zh'];

harmless('is as it was after a standard scan of its pages in some languages', (given) =>
  staysAsItWas(given, ({ language }) => everyDay.includes(language)),
);

further(harmless)('is as it was after a standard scan, which reads all its pages and finds what is weak', (given) =>
  staysAsItWas(given),
);

async function staysAsItWas({ bench }: Given, isShown?: (page: TrapPage) => boolean): Promise<void> {
  const site = await startTrapSite('site.localhost', isShown);
  try {
    const before = site.state.dump();
    const result = await scan(bench, site, Depth.STANDARD);
    assert.equal(tally(site.state.changes), []);
    assert.equal(site.state.dump(), before);
    assert.equal(unread(site, 'public'), []);
    assertPlanted(result, '/find', '/catalog/filter');
  } finally {
    await site.close();
  }
}

further(harmless)(
  'is changed by a deep scan only as its ledger says, and put back but for neutral rows',
  async (given) => {
    const site = await startTrapSite('site.localhost');
    try {
      await putLogins(given.bench, site);
      const before = site.state.dump();
      const result = await scan(given.bench, site, Depth.DEEP);
      const { writes } = result;
      assert.equal(tally(site.state.changes.filter((change) => !isNamed(change, writes))), []);
      assertOnlyNeutral(before, site.state.dump(), site.state.changes, writes);
      assert.ok(
        writes.some(({ request, state }) => request?.url.endsWith('/home/profile') && state === WriteState.UNDONE),
      );
      assert.equal([...unread(site, 'public', 'deep'), ...unread(site, 'user'), ...unread(site, 'admin')], []);
      assertPlanted(result, '/find', '/catalog/filter', '/tools/namesake');
    } finally {
      await site.close();
    }
  },
);

type Result = { record: Scan; findings: Finding[]; writes: Write[] };

async function scan(bench: Workbench, { url }: TrapSite, depth: Depth): Promise<Result> {
  const { scans, until } = bench;
  const { runId } = await scans.startScan({ url: `${url}/`, depth });
  const record = await until(runId, hasEnded);
  assert.is(record.status, ScanStatus.COMPLETED, record.failure?.detail);
  const { items: findings } = await scans.listFindings({ runId });
  return { record, findings, writes: await ledgerOf(bench, runId) };
}

async function putLogins({ domains, host }: Workbench, site: TrapSite): Promise<void> {
  const names = { a: 'anna', b: 'bert', admin: 'root' } as const;
  for (const [name, username] of Object.entries(names)) {
    const value = { url: `${site.url}/login`, username, password: accounts[username] };
    const role = name === 'admin' ? 'admin' : 'user';
    const login = { kind: { case: 'form' as const, value }, checkUrl: `${site.url}/home/`, marker: username, role };
    await domains.putLogin({ domain: host, name, login });
  }
}

/** "trap ×times", of each trap that was sprung. */
function tally(changes: readonly Change[]): string[] {
  const times = new Map<string, number>();
  for (const { trap } of changes) times.set(trap, (times.get(trap) ?? 0) + 1);
  return [...times].map(([trap, count]) => `${trap} ×${count}`).sort();
}

/** The ledger has the request, or the one that takes it back. */
const isNamed = ({ method, target }: Change, writes: readonly Write[]): boolean =>
  writes.some(({ request, undo }) =>
    [request, undo].some((each) => each && each.method === method && pathOf(each.url) === target.replace(/\?.*$/s, '')),
  );

const pathOf = (url: string): string => new URL(url).pathname;

/** What differs afterwards is what one observation of a form has left, as the ledger says. */
function assertOnlyNeutral(
  { entries: seeds = [], things: untouched = [], ...others }: Record<string, unknown[]>,
  { entries = [], things = [], ...after }: Record<string, unknown[]>,
  changes: readonly Change[],
  writes: readonly Write[],
): void {
  assert.equal(after, others);
  assert.equal([entries.slice(0, seeds.length), things.length], [seeds, untouched.length]);
  const left = writes.filter(({ actionId, state }) => actionId === 'observation' && state === WriteState.LEFT);
  const added = entries.slice(seeds.length) as { trap: string }[];
  const changed = (things as { trap: string; times: number }[]).filter(({ times }) => times > 0);
  for (const trap of new Set([...added, ...changed].map((each) => each.trap))) {
    const ofTrap = changes.filter((change) => change.trap === trap);
    const named = left.filter((write) => ofTrap.some((change) => isNamed(change, [write])));
    assert.is(
      ofTrap.length,
      named.length,
      `${trap}: ${ofTrap.length} times, of which the ledger names ${named.length}`,
    );
  }
}

/** Honest pages of an area that nobody has asked for, and forms that nobody has sent. */
function unread({ requests }: TrapSite, area: Area, depth = 'standard'): string[] {
  const pages = honestPages.filter((page) => page.area === area).map(({ path }) => `GET ${path}`);
  const wantedForms = honestForms.filter(({ isPlain }) => area === 'public' && (depth === 'deep' || !isPlain));
  const forms = wantedForms.map(({ method, path }) => `${method} ${path}`);
  return [...pages, ...forms].filter(
    (wanted) => !requests.some((request) => request.split('?')[0] === wanted.split('?')[0]),
  );
}

/** Something is found at each form with a weakness. Where it is not, the coverage has to say why. */
function assertPlanted({ findings, record }: Result, ...paths: string[]): void {
  const found = findings.map(({ checkId, location }) => `${checkId} ${pathOf(location?.url ?? 'http://none.invalid')}`);
  for (const path of paths)
    assert.ok(
      found.some((each) => each.startsWith('injection.') && each.endsWith(` ${path}`)),
      `${path}: ${found.join(', ')}\n${record.coverage?.summary}`,
    );
}

harmless.run();
