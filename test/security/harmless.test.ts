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
import { testBrowsers } from '../workflows/checks/harness.ts';
import { isOver } from '../workflows/support/installation.ts';
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

harmless('is as it was after a standard scan, which reads its pages and finds what is weak', async (given) => {
  const site = await startTrapSite('site.localhost');
  try {
    const before = site.state.dump();
    const { findings } = await scan(given.bench, site, Depth.STANDARD);
    assert.equal(tally(site.state.changes), []);
    assert.equal(site.state.dump(), before);
    assert.equal(unread(site, 'public'), []);
    assertPlanted(findings);
  } finally {
    await site.close();
  }
});

harmless('is changed by a deep scan only as its ledger says, and put back but for neutral rows', async (given) => {
  const site = await startTrapSite('site.localhost');
  try {
    await putLogins(given.bench, site);
    const before = site.state.dump();
    const { findings, writes } = await scan(given.bench, site, Depth.DEEP);
    assert.equal(tally(site.state.changes.filter((change) => !isNamed(change, writes))), []);
    const { entries, ...after } = site.state.dump();
    const { entries: seeds, ...others } = before;
    assert.equal(after, others);
    assertNeutral(seeds ?? [], entries ?? [], writes);
    assert.ok(
      writes.some(({ request, state }) => request?.url.endsWith('/home/profile') && state === WriteState.UNDONE),
    );
    assert.equal([...unread(site, 'public'), ...unread(site, 'user'), ...unread(site, 'admin')], []);
    assertPlanted(findings);
  } finally {
    await site.close();
  }
});

type Result = { record: Scan; findings: Finding[]; writes: Write[] };

async function scan(bench: Workbench, { url }: TrapSite, depth: Depth): Promise<Result> {
  const { scans, until } = bench;
  const { runId } = await scans.startScan({ url: `${url}/`, depth });
  const record = await until(runId, isOver);
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

/** Of what was stored and is still there, each form's one row is named in the ledger. */
function assertNeutral(before: readonly unknown[], after: readonly unknown[], writes: readonly Write[]): void {
  const left = after.slice(before.length) as { trap: string; text: string }[];
  const named = writes.flatMap(({ request }) => request?.body ?? []);
  for (const { trap, text } of left)
    assert.ok(
      named.some((body) => body.includes(text)),
      `${trap}: ${text}`,
    );
  assert.is(new Set(left.map(({ trap }) => trap)).size, left.length, 'a form has left more than one row');
}

/** Honest pages of an area that nobody has asked for, and forms that nobody has sent. */
function unread({ requests }: TrapSite, area: 'public' | 'user' | 'admin'): string[] {
  const pages = honestPages.filter((page) => page.area === area).map(({ path }) => `GET ${path}`);
  const forms = area === 'public' ? honestForms.map(({ method, path }) => `${method} ${path}`) : [];
  return [...pages, ...forms].filter(
    (wanted) => !requests.some((request) => request.split('?')[0] === wanted.split('?')[0]),
  );
}

function assertPlanted(findings: readonly Finding[]): void {
  const found = findings.map(({ checkId, location }) => `${checkId} ${pathOf(location?.url ?? 'http://none.invalid')}`);
  assert.ok(
    found.some((each) => each === 'injection.reflected-xss /find'),
    found.join(', '),
  );
  assert.ok(
    found.some((each) => /^injection\.sql-\S+ \/catalog\/filter$/.test(each)),
    found.join(', '),
  );
}

harmless.run();
