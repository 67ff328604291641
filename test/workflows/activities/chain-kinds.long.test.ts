import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OmissionCode } from '../../../proto/gen/scanaudit/v1/coverage_pb.ts';
import { Writes } from '../../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { Finding } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { Depth, type Scan, ScanStatus } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import type { ChainStep, Check } from '../../../workflows/checks/contract.ts';
import { registryOf } from '../../../workflows/checks/registry.ts';
import { claim, type Experiment, type Step } from '../../../workflows/model/experiment.ts';
import { further } from '../../support/further.ts';
import { checkLike, stepLike } from '../support/checks.ts';
import { hasEnded } from '../support/installation.ts';
import { openSite, page, type Site } from '../support/site.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

const key = randomBytes(12).toString('hex');
const files = Array.from({ length: 17 }, (_, index) => `file-${index}`);
const doors = ['admin', 'vault'];
const here = (url: string, path: string): string => new URL(path, url).href;

/** Shows that a file holds the key; files of other names do not. */
const holdsKey = (url: string): Experiment => {
  const step = (where: string, note: string): Step => ({
    http: { url: where },
    note,
    expect: [claim('body', 'contains', 'key=')],
  });
  return {
    steps: [
      {
        ...step(url, 'The file holds a key.'),
        capture: [{ name: 'key', subject: 'body', pattern: 'key=(\\w+)', secret: true }],
      },
    ],
    control: [step(here(url, '/‹nonce›'), 'A file of another name does not.')],
  };
};

/** The key is published in a file. Wherever it is, it is the same key: the same fact. */
const leak = (file: string): Check =>
  checkLike({
    id: `leak.${file}`,
    title: `The key is in ${file}`,
    depth: 'deep',
    detect: ({ surface }) => [{ location: { url: here(surface.url, file) } }],
    confirm: (_context, { location }) => holdsKey(location.url),
    gives: {
      kinds: ['key'],
      facts: ({ location }, captured) => [
        { kind: 'key', subject: new URL(location.url).origin, attributes: {}, secret: captured.key ?? '' },
      ],
    },
  });

/** The key opens a door. */
const open = (door: string): ChainStep =>
  stepLike({
    id: `chains.open-${door}`,
    title: `The key opens the ${door}`,
    needs: [{ kind: 'key' }],
    goal: `session(${door})`,
    detect: ({ surface }) => [{ location: { url: here(surface.url, door) } }],
    confirm: (_context, { location }, [fact]) => {
      const step = (value: string, note: string): Step => ({
        http: { url: location.url, headers: [['x-key', value]], secrets: [value] },
        note,
        expect: [claim('body', 'contains', 'welcome')],
      });
      return {
        steps: [step(fact?.secret ?? '', 'It opens.')],
        control: [step('‹nonce›', 'Another key does not open it.')],
      };
    },
  });

/** Ten windows that are open, and lead nowhere. */
const windows = checkLike({
  id: 'windows.open',
  depth: 'deep',
  detect: ({ surface }) => [{ location: { url: here(surface.url, 'windows') } }],
  confirm: (_context, { location }) => holdsKey(location.url),
  gives: {
    kinds: ['window'],
    facts: ({ location }) =>
      Array.from({ length: 10 }, (_, index) => ({
        kind: 'window',
        subject: `${location.url} ${index}`,
        attributes: {},
      })),
  },
});
/** What nobody lets happen: it would change the lock. */
const changeLock = stepLike({ id: 'chains.change-lock', risk: 'caution', needs: [{ kind: 'key' }], detect: () => [] });
const climbIn = stepLike({ id: 'chains.climb-in', needs: [{ kind: 'window' }], goal: 'code' });

type World = { bench: Workbench; site: Site; url: string; leaks: Map<string, number>; opens: Set<string> };
const kinds = suite<World>('kinds of chains');

kinds.before(async (world) => {
  world.leaks = new Map();
  world.opens = new Set();
  world.site = await openSite((request, response) => {
    const name = (request.url ?? '/').slice(1);
    const left = world.leaks.get(name) ?? 0;
    world.leaks.set(name, left - 1);
    if (left > 0) return page(response, `key=${key}`);
    if (world.opens.has(name) && request.headers['x-key'] === key) return page(response, 'welcome');
    return name === '' ? page(response, 'home') : page(response, 'nothing', 404);
  });
  world.url = `http://site.localhost:${world.site.port}/`;
  world.bench = await openWorkbench(
    registryOf([...files.map(leak), windows], [...doors.map(open), climbIn, changeLock]),
  );
});
kinds.after(async ({ bench, site }) => {
  await bench.close();
  await site.close();
});

/** @param leaks how often each file still shows the key */
async function scan(world: World, leaks: Record<string, number>, opens = ['admin']) {
  world.leaks = new Map(Object.entries(leaks));
  world.opens = new Set(opens);
  const { runId } = await world.bench.scans.startScan({ url: world.url, depth: Depth.DEEP });
  const record: Scan = await world.bench.until(runId, hasEnded, 240_000);
  assert.is(record.status, ScanStatus.COMPLETED, record.failure?.detail);
  const { items } = await world.bench.scans.listFindings({ runId, limit: 100 });
  const chains = items.filter(({ chain }) => chain.length > 0).sort((a, b) => (a.title < b.title ? -1 : 1));
  const gaps = record.coverage?.gaps.filter(({ subject }) => subject !== 'login') ?? [];
  return { items, chains, gaps, limits: record.coverage?.limits ?? [] };
}

const always = Number.POSITIVE_INFINITY;
const both = { 'file-0': always, 'file-1': always };
const wayOf = ({ chain }: Finding) => chain.map(({ actionId }) => actionId);

kinds('one key that was found in two places leads to two chains', async (world) => {
  const { chains, gaps } = await scan(world, both);
  assert.equal(chains.map(wayOf), [
    ['leak.file-0', 'chains.open-admin'],
    ['leak.file-1', 'chains.open-admin'],
  ]);
  assert.equal(gaps, []);
  assert.is(new Set(chains.map(({ fingerprint }) => fingerprint)).size, 2);
});

further(kinds)('chains have the same names in every scan', async (world) => {
  const [first, second] = [await scan(world, both), await scan(world, both)];
  const prints = ({ chains }: typeof first) => chains.map(({ fingerprint }) => fingerprint);
  assert.equal(prints(second), prints(first));
});

further(kinds)(
  'each link has its own finding, place, steps, control and command, and one is to be fixed first',
  async (world) => {
    const { chains, items } = await scan(world, both);
    for (const [index, finding] of chains.entries()) {
      const [leaked, opened] = finding.chain;
      assert.is(leaked?.fingerprint, items.find(({ checkId }) => checkId === `leak.file-${index}`)?.fingerprint);
      assert.equal([leaked?.gives, opened?.gives], ['key', 'session(admin)']);
      assert.equal([leaked?.breaksChain, opened?.breaksChain], [false, true], 'both chains stand on the door');
      assert.is(leaked?.location?.url, here(world.url, `file-${index}`));
      assert.is(opened?.location?.url, here(world.url, 'admin'));
      assert.is(leaked?.proof?.steps[0]?.note, 'The file holds a key.');
      assert.is(leaked?.proof?.control[0]?.note, 'A file of another name does not.');
      assert.match(leaked?.proof?.curl ?? '', `file-${index}`);
      assert.is(opened?.proof?.control[0]?.note, 'Another key does not open it.');
      assert.match(opened?.proof?.curl ?? '', 'admin');
      assert.equal(finding.proof, opened?.proof);
      assert.match(finding.title, `The key opens the admin, starting from: The key is in file-${index}`);
      assert.match(finding.remediation, 'it breaks the chain: The key opens the admin.');
    }
    const stored = JSON.stringify(items, (_name, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    assert.not.ok(stored.includes(key));
  },
);

kinds('a way that is closed when its chain is replayed leaves the other one', async (world) => {
  // Two trials of the check see it; the replay does not.
  const { chains, items, gaps } = await scan(world, { ...both, 'file-0': 2 });
  assert.ok(items.some(({ checkId }) => checkId === 'leak.file-0'));
  assert.equal(chains.map(wayOf), [['leak.file-1', 'chains.open-admin']]);
  assert.equal(
    gaps.map(({ code, text }) => [code, text]),
    [
      [
        OmissionCode.UNCLEAR,
        'each of its steps was shown, and leak.file-0 was not shown again when all were replayed from the start',
      ],
    ],
  );
});

further(kinds)('a step that changes data where nothing may be changed is a limit of the scan', async (world) => {
  const { domains, host } = world.bench;
  await domains.putScope({ domain: host, scope: { writes: Writes.NONE } });
  const { limits, chains } = await scan(world, both);
  await domains.putScope({ domain: host, scope: { writes: Writes.REVERSIBLE } });
  assert.is(chains.length, 2);
  assert.equal(
    limits.filter(({ subject }) => subject === 'chains.change-lock').map(({ code, count }) => [code, count]),
    [[OmissionCode.WOULD_WRITE, 1]],
  );
});

further(kinds)('what was not tried because there was too much of it is reported', async (world) => {
  const { chains, gaps } = await scan(world, { windows: always });
  assert.equal(chains, []);
  assert.equal(
    gaps.map(({ subject, text }) => [subject, text]),
    [['chains.climb-in:untried', 'it was tried on 8 of 10 combinations of what was found, without success']],
  );
});

further(kinds)(
  'more chains than a scan replays are counted, and those that were replayed are reported',
  async (world) => {
    const { chains, gaps } = await scan(world, Object.fromEntries(files.map((file) => [file, always])), doors);
    assert.is(chains.length, 20);
    assert.equal(
      gaps.map(({ subject, text }) => [subject, text]),
      [
        ['chains:kinds', 'there are more kinds of ways than a scan follows; the smallest were'],
        ['chains:replays', '12 kinds of chain were not replayed; a scan makes at most 20 replays'],
      ],
    );
  },
);

kinds.run();
