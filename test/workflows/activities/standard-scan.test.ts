import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FamilyStatus, OutcomeKind, type Scan, ScanStatus, Verdict } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import type { Check } from '../../../workflows/checks/contract.ts';
import { type Registry, registryOf } from '../../../workflows/checks/registry.ts';
import { further } from '../../support/further.ts';
import { bodyHas, checkLike } from '../support/checks.ts';
import { hasEnded } from '../support/installation.ts';
import { openSite, page, type Site } from '../support/site.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

const weak: Check = checkLike({
  id: 'words.secret',
  detect: ({ surface }) => surface.pages.map(({ url }) => ({ location: { url } })),
  confirm: (_context, { location }) => bodyHas(location.url, 'secret'),
});
const broken: Check = checkLike({
  id: 'words.broken',
  detect: () => {
    throw new Error('a fault of the check');
  },
});
/** Until when the check below has not ended. */
let held: Promise<void> | undefined;
const fine: Check = checkLike({
  id: 'fine.nothing',
  async detect({ surface, http }) {
    if (held) await http.get(`${surface.url}?held`);
    await held;
    return [];
  },
});
const ghost: Check = checkLike({ id: 'ghost.check' });

/** As after an update of half the workers: one names a family that the other one does not have. */
function withoutGhost(registry: Registry): Registry {
  return { ...registry, family: (id) => (id === 'ghost' && !ghostIsKnown ? undefined : registry.family(id)) };
}
let ghostIsKnown = true;

const standard = suite<{ bench: Workbench; site: Site }>('standard scan');
standard.before(async (world) => {
  world.site = await openSite(({ url = '' }, response) => {
    if (url === '/') return page(response, '<a href="/open">o</a><a href="/private/page">p</a>');
    return url === '/open' ? page(response, 'a secret word') : page(response, 'none', 404);
  });
  world.bench = await openWorkbench(withoutGhost(registryOf([weak, broken, fine, ghost], [])));
});
standard.after(async ({ bench, site }) => {
  await bench.close();
  await site.close();
});

async function scan({ bench, site }: { bench: Workbench; site: Site }) {
  const { runId } = await bench.scans.startScan({ url: `http://site.localhost:${site.port}/` });
  return bench.until(runId, hasEnded);
}

standard('what is proven is found, and a check with a fault costs nothing but itself', async (world) => {
  const record = await scan(world);
  const words = record.coverage?.families.find(({ id }) => id === 'words');
  assert.equal(
    words?.outcomes.map(({ checkId, outcome, reason }) => [checkId, outcome, reason]),
    [
      ['words.broken', OutcomeKind.NOT_RUN, 'the check failed: a fault of the check'],
      ['words.secret', OutcomeKind.FOUND, ''],
    ],
  );
  assert.is(words?.status, FamilyStatus.DONE);
  assert.equal(
    record.coverage?.gaps.map(({ subject }) => subject),
    ['words.broken'],
  );
  assert.is(record.findingsCount, 1);
});

further(standard)('the requests of the record are those that the host has seen', async (world) => {
  const before = world.site.requests.length;
  const record = await scan(world);
  assert.is(record.requests, world.site.requests.length - before);
});

further(standard)('the record counts what a family sends before it ends', async (world) => {
  const before = world.site.requests.length;
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  const { runId } = await world.bench.scans.startScan({ url: `http://site.localhost:${world.site.port}/` });
  const family = ({ coverage }: Scan) => coverage?.families.find(({ id }) => id === 'fine');
  const running = await world.bench.until(runId, (record) => hasEnded(record) || family(record) !== undefined);
  assert.equal([family(running)?.status, family(running)?.requests], [FamilyStatus.RUNNING, 1]);
  assert.ok(running.requests > 1, `${running.requests} requests`);
  held = undefined;
  resolve();
  const record = await world.bench.until(runId, hasEnded);
  assert.is(family(record)?.status, FamilyStatus.DONE);
  assert.is(record.requests, world.site.requests.length - before);
});

further(standard)('the same weakness has the same fingerprint in the next scan and is known then', async (world) => {
  const fingerprints = await Promise.all(
    [await scan(world), await scan(world)].map(
      async ({ runId }) => (await world.bench.scans.listFindings({ runId })).items[0],
    ),
  );
  assert.is(fingerprints[0]?.fingerprint, fingerprints[1]?.fingerprint);
  assert.is(fingerprints[1]?.firstSeenRunId, fingerprints[0]?.firstSeenRunId);
});

standard(
  'a family that no worker can run leaves the scan completed, said in the coverage, and the gate inconclusive',
  async (world) => {
    ghostIsKnown = false;
    const record = await scan(world);
    ghostIsKnown = true;
    assert.is(record.status, ScanStatus.COMPLETED);
    const lost = record.coverage?.families.find(({ id }) => id === 'ghost');
    assert.is(lost?.status, FamilyStatus.FAILED);
    assert.is(lost?.reason, 'this worker has no family ghost');
    assert.is(record.coverage?.complete, false);
    const gate = await world.bench.scans.getGate({ runId: record.runId });
    assert.is(gate.verdict, Verdict.INCONCLUSIVE);
    assert.is(gate.passed, false);
  },
);

standard.run();
